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
        if let file { output.append(contentsOf: TextEscape.escaped(file).utf8) }
        if let line {
            if file != nil { output.append(UInt8(ascii: ":")) }
            output.append(contentsOf: String(line).utf8)
        }
        output.append(contentsOf: ": ".utf8)
        if let (code, sentence) = verdict.objection {
            output.append(contentsOf: "\(verdict.kind.rawValue) (\(code)): \(sentence)".utf8)
        } else if case .statement(.valid(let statement)) = verdict {
            let claims = statement.claims
            appendValid(claims.id.text, claims.subject.text, claims.issuedAt, claims.payload, &output)
        } else if case .bundle(let verdict) = verdict, case .valid(let bundle) = verdict.outcome {
            let users = bundle.signers.joined(separator: ",")
            appendValid("bundle", users, bundle.completedAt, bundle.shared.payload, &output)
        }
    }

    private func appendValid(
        _ id: String, _ users: String, _ time: Int64, _ payload: String, _ output: inout [UInt8]
    ) {
        output.append(contentsOf: "valid ".utf8)
        output.append(contentsOf: id.utf8)
        output.append(UInt8(ascii: " "))
        output.append(contentsOf: users.utf8)
        output.append(UInt8(ascii: " "))
        output.append(contentsOf: Timestamp.text(seconds: time).utf8)
        output.append(UInt8(ascii: " "))
        output.append(contentsOf: TerminalText.signed(payload).utf8)
    }

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
