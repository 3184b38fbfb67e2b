import CountersignJOSE
import CountersignVerifier

/// How verdicts are printed where there may be many: one line for each.
struct VerdictFormat: Sendable {
    enum Style: Sendable {
        /// A line for people: `12: valid ID USER TIME PAYLOAD`, or of a bundle `12: valid bundle USER,USER TIME PAYLOAD`.
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
    func append(_ verdict: TextVerdict, line: Int?, to output: inout [UInt8]) {
        switch style {
        case .quiet: return
        case .json: appendJSON(verdict, line, &output)
        case .text: appendText(verdict, line, &output)
        }
        output.append(UInt8(ascii: "\n"))
    }

    private func appendText(_ verdict: TextVerdict, _ line: Int?, _ output: inout [UInt8]) {
        if let file { TextEscape.append(file, to: &output) }
        if let line {
            if file != nil { output.append(UInt8(ascii: ":")) }
            Figures.append(Int64(line), to: &output)
        }
        append(": ", &output)
        switch verdict {
        case .statement(.valid(let statement)):
            appendValid(statement.claims, &output)
        case .bundle(let verdict):
            guard case .valid(let bundle) = verdict.outcome else {
                return appendObjection(to: .bundle(verdict), &output)
            }
            append("valid bundle ", &output)
            append(bundle.signers.joined(separator: ","), &output)
            appendEnd(bundle.completedAt, bundle.shared.payload, &output)
        case .statement:
            appendObjection(to: verdict, &output)
        }
    }

    /// There may be a million of these, so nothing is made for them but the bytes themselves.
    private func appendValid(_ claims: Claims, _ output: inout [UInt8]) {
        append("valid ", &output)
        append(claims.id.text, &output)
        output.append(UInt8(ascii: " "))
        append(claims.subject.text, &output)
        appendEnd(claims.issuedAt, claims.payload, &output)
    }

    private func appendEnd(_ time: Int64, _ payload: String, _ output: inout [UInt8]) {
        output.append(UInt8(ascii: " "))
        Timestamp.append(seconds: time, to: &output)
        output.append(UInt8(ascii: " "))
        TerminalText.append(signed: payload, to: &output)
    }

    private func appendObjection(to verdict: TextVerdict, _ output: inout [UInt8]) {
        guard let (code, sentence) = verdict.objection else { return }
        append("\(verdict.kind.rawValue) (\(code)): \(sentence)", &output)
    }

    private func append(_ text: String, _ output: inout [UInt8]) { output.append(contentsOf: text.utf8) }

    private func appendJSON(_ verdict: TextVerdict, _ line: Int?, _ output: inout [UInt8]) {
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
