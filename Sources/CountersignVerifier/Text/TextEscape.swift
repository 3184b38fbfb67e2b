/// How a text is shown to a person, on a terminal or in a log: what cannot be seen, or would change how its
/// neighbours look, is spelled out.
///
/// Newline is `\n`, tab `\t`, backslash `\\`; everything else that is invisible or confusing is `\u{202E}`, with at
/// least four upper-case hexadecimal digits. Ordinary visible text of every script stays as it is, emoji too (joiners
/// and variation selectors inside them are spelled out). Two different texts never get the same escapes, because a
/// backslash of the text is always doubled.
public enum TextEscape {
    /// More combining marks than this on one character are spelled out: no script needs them, and they climb over
    /// the lines above and below.
    private static let maxMarks = 4

    /// The text with everything spelled out that a person could not see.
    ///
    /// - Parameter outerSpaces: whether spaces at the start and the end are spelled out too, as `\u{0020}`: where a person
    ///   decides over the text itself, and its frame does not show where it ends.
    public static func escaped(_ text: String, outerSpaces: Bool = false) -> String {
        let space = UInt8(ascii: " ")
        let first = outerSpaces ? text.utf8.prefix(while: { $0 == space }).count : 0
        let last = outerSpaces ? text.utf8.reversed().prefix(while: { $0 == space }).count : 0
        guard first + last > 0 else { return inner(text) }
        let spelled = spelledOut(" ")
        guard first < text.utf8.count else { return String(repeating: spelled, count: first) }
        let middle = text.unicodeScalars.dropFirst(first).dropLast(last)
        return String(repeating: spelled, count: first) + inner(String(String.UnicodeScalarView(middle)))
            + String(repeating: spelled, count: last)
    }

    /// Appends the escaped text. One that is shown as it is, as most are, is copied and nothing else.
    package static func append(_ text: String, outerSpaces: Bool = false, to bytes: inout [UInt8]) {
        let content = text.utf8.span
        let space = UInt8(ascii: " ")
        let hasOuter = content.count > 0 && (content[0] == space || content[content.count - 1] == space)
        if isPlain(content) && !(outerSpaces && hasOuter) {
            unsafe content.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        } else {
            bytes.append(contentsOf: escaped(text, outerSpaces: outerSpaces).utf8)
        }
    }

    /// Whether all of it is visible ASCII that needs no escape.
    private static func isPlain(_ content: Span<UInt8>) -> Bool {
        var isPlain = true
        for index in content.indices {
            let byte = content[index]
            isPlain = isPlain && byte &- 0x20 <= 0x5E && byte != UInt8(ascii: "\\")
        }
        return isPlain
    }

    private static func inner(_ text: String) -> String {
        if isPlain(text.utf8.span) { return text }
        var shown = ""
        shown.reserveCapacity(text.utf8.count)
        // How many marks the character before may still carry. None at the start, after white space and after an
        // escape, where a mark would sit on the frame around the text or on the escape.
        var marksLeft = 0
        for scalar in text.unicodeScalars {
            let isMark = isMark(scalar)
            if let short = shortEscape(scalar) {
                shown += short
                marksLeft = 0
            } else if isHidden(scalar) || isMark && marksLeft == 0 {
                shown += spelledOut(scalar)
                marksLeft = 0
            } else {
                shown.unicodeScalars.append(scalar)
                marksLeft = isMark ? marksLeft - 1 : scalar == " " ? 0 : maxMarks
            }
        }
        return shown
    }

    private static func shortEscape(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\n": "\\n"
        case "\t": "\\t"
        case "\\": "\\\\"
        default: nil
        }
    }

    private static func spelledOut(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "\\u{" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "}"
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if (" "..."~").contains(scalar) { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: return true
        case .lineSeparator, .paragraphSeparator, .spaceSeparator: return true
        default: return scalar.properties.isDefaultIgnorableCodePoint || drawsNothing(scalar)
        }
    }

    /// Letters and symbols whose picture is empty, or stands for something that is not there; Unicode has no property
    /// for them.
    private static func drawsNothing(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x2800: true  // braille pattern blank
        case 0xFFFC: true  // object replacement
        case 0x13441, 0x13442: true  // blank hieroglyphs
        case 0x1D159: true  // musical symbol null notehead
        default: false
        }
    }
}
