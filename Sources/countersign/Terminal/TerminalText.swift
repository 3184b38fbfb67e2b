import CountersignVerifier

/// Messages that a person reads on a terminal, with everything in them that could deceive made visible.
enum TerminalText {
    /// One line: line breaks are spelled out too.
    static func line(_ text: String) -> String { TextEscape.escaped(text) }

    /// What was or will be signed: also the spaces at its ends are made visible.
    static func signed(_ text: String) -> String { TextEscape.escaped(text, outerSpaces: true) }

    /// Appends what was signed, as `signed` shows it.
    static func append(signed text: String, to bytes: inout [UInt8]) {
        TextEscape.append(text, outerSpaces: true, to: &bytes)
    }

    /// Several lines, as help texts have them.
    static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { TextEscape.escaped(String($0)) }
            .joined(separator: "\n")
    }
}
