internal import CountersignJOSE

/// Which characters and how many bytes `payload` and `reason` may have, the same for those who sign and those who
/// verify (docs/statement.md).
///
/// Refused is what makes a text show something else than it holds, or break its frame: controls, the characters that
/// change the direction of text, line and paragraph separators, noncharacters. What else is invisible may be signed;
/// `TextEscape` shows it.
public enum TextRules {
    /// The longest payload, in bytes of UTF-8.
    public static let maxPayloadBytes = 4096
    /// The longest reason, in bytes of UTF-8.
    public static let maxReasonBytes = 1024

    /// The first refused character of a text.
    ///
    /// - Parameters:
    ///   - text: What would be signed or was signed.
    ///   - newlineAndTabAllowed: True for a payload, which may have U+000A and U+0009; false for a reason.
    /// - Returns: The character and its offset in bytes of UTF-8, or nil where the text may stand.
    public static func firstRefused(
        in text: String, newlineAndTabAllowed: Bool
    ) -> (offset: Int, scalar: Unicode.Scalar)? {
        // Almost every text is printable ASCII: one pass over its bytes settles it.
        if ByteScan.isPrintable(text.utf8.span) { return nil }
        var offset = 0
        for scalar in text.unicodeScalars {
            if isRefused(scalar, newlineAndTabAllowed: newlineAndTabAllowed) { return (offset, scalar) }
            offset += UTF8.width(scalar)
        }
        return nil
    }

    /// The length of a text in extended grapheme clusters.
    package static func length(of text: String) -> Int {
        // Each character of printable ASCII is one.
        ByteScan.isPrintable(text.utf8.span) ? text.utf8.count : text.count
    }

    private static func isRefused(_ scalar: Unicode.Scalar, newlineAndTabAllowed: Bool) -> Bool {
        switch scalar.value {
        case 0x0009, 0x000A: !newlineAndTabAllowed
        case 0x0000...0x001F, 0x007F...0x009F: true  // Cc
        case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // direction
        case 0x2028...0x2029: true  // separators
        case 0xFDD0...0xFDEF: true  // noncharacters
        default: scalar.value & 0xFFFE == 0xFFFE  // the last two of each plane
        }
    }
}
