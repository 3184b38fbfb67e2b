/// How many persons must sign the same, out of how many that were asked: the claim `quorum`, `N/M` (`docs/statement.md`).
public struct Quorum: Sendable, Hashable, CustomStringConvertible {
    /// The most persons that may be needed.
    public static let maxRequired = 16
    /// The most persons that may be asked.
    public static let maxAsked = 9999

    /// How many must sign, 1...16.
    public let required: Int
    /// How many were asked, at least as many as must sign.
    public let asked: Int

    /// A quorum; nil unless 1 <= required <= 16 and required <= asked <= 9999.
    public init?(required: Int, of asked: Int) {
        guard (1...Self.maxRequired).contains(required), (required...Self.maxAsked).contains(asked) else { return nil }
        self.required = required
        self.asked = asked
    }

    /// Reads the claim; nil for every other spelling.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, let required = Self.number(parts[0]), let asked = Self.number(parts[1]) else {
            return nil
        }
        self.init(required: required, of: asked)
    }

    /// The claim.
    public var description: String { "\(required)/\(asked)" }

    /// One to four decimal digits, the first of which is not 0.
    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard (1...4).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
