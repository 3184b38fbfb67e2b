import CountersignJOSE
import CountersignVerifier

/// How verdicts are printed where there may be many: one line for each.
struct VerdictFormat: Sendable {
    enum Style: Sendable {
        /// A line for people: `12: valid ID USER TIME PAYLOAD`.
        case text
        /// A line of JSON.
        case json
        /// Nothing; the exit code says it all.
        case quiet
    }

    let style: Style
    /// The file's name, where there are several.
    let file: String?

    /// Appends the verdict of one line; of a whole file without `line`.
    func append(_ verdict: Verdict, line: Int?, to output: inout [UInt8]) {
        switch style {
        case .quiet: return
        case .json: appendJSON(verdict, line, &output)
        case .text: appendText(verdict, line, &output)
        }
        output.append(UInt8(ascii: "\n"))
    }

    private func appendText(_ verdict: Verdict, _ line: Int?, _ output: inout [UInt8]) {
        if let file { output.append(contentsOf: TextEscape.escaped(file).utf8) }
        if let line {
            if file != nil { output.append(UInt8(ascii: ":")) }
            output.append(contentsOf: String(line).utf8)
        }
        output.append(contentsOf: ": ".utf8)
        switch verdict {
        case .valid(let statement):
            let claims = statement.claims
            output.append(contentsOf: "valid ".utf8)
            output.append(contentsOf: claims.id.text.utf8)
            output.append(UInt8(ascii: " "))
            output.append(contentsOf: claims.subject.text.utf8)
            output.append(UInt8(ascii: " "))
            output.append(contentsOf: Timestamp.text(seconds: claims.issuedAt).utf8)
            output.append(UInt8(ascii: " "))
            output.append(contentsOf: TerminalText.signed(claims.payload).utf8)
        case .invalid(let reason): output.append(contentsOf: "invalid (\(reason.code)): \(reason)".utf8)
        case .indeterminate(let reason): output.append(contentsOf: "indeterminate (\(reason.code)): \(reason)".utf8)
        }
    }

    private func appendJSON(_ verdict: Verdict, _ line: Int?, _ output: inout [UInt8]) {
        var writer = JSONWriter()
        swap(&writer.bytes, &output)
        writer.beginObject()
        if let file { writer.member(name: "file", string: file) }
        if let line { writer.member(name: "line", integer: Int64(line)) }
        VerdictJSON.write(verdict, to: &writer)
        writer.endObject()
        swap(&writer.bytes, &output)
    }
}
