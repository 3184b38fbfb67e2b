/// What an Argon2id hash costs (RFC 9106 section 4). The standard is OWASP's first choice.
package struct PasswordParameters: Sendable, Hashable {
    /// Memory in KiB, 8 a lane at least, 1 GiB at most.
    package let memoryKiB: UInt32
    /// Passes over the memory, 1...64.
    package let passes: UInt32
    /// Lanes, 1...16.
    package let lanes: UInt32

    /// 19 MiB, 2 passes, 1 lane.
    package static let standard = PasswordParameters(checked: 19_456, 2, 1)

    /// Nil where a number is outside its range, so that a row of a store cannot cost any amount of memory or time.
    package init?(memoryKiB: UInt32, passes: UInt32, lanes: UInt32) {
        guard (1...16).contains(lanes), (1...64).contains(passes), (8 * lanes...1_048_576).contains(memoryKiB) else {
            return nil
        }
        self.init(checked: memoryKiB, passes, lanes)
    }

    private init(checked memoryKiB: UInt32, _ passes: UInt32, _ lanes: UInt32) {
        self.memoryKiB = memoryKiB
        self.passes = passes
        self.lanes = lanes
    }

    /// Reads `m=19456,t=2,p=1`; nil for every other spelling.
    package init?(text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, let memory = Self.number(parts[0], "m="), let passes = Self.number(parts[1], "t="),
            let lanes = Self.number(parts[2], "p=")
        else { return nil }
        self.init(memoryKiB: memory, passes: passes, lanes: lanes)
        guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
    }

    /// `m=19456,t=2,p=1`, as in a PHC string.
    package var text: String { "m=\(memoryKiB),t=\(passes),p=\(lanes)" }

    private static func number(_ part: Substring, _ prefix: String) -> UInt32? {
        guard part.utf8.starts(with: prefix.utf8) else { return nil }
        return UInt32(part.dropFirst(prefix.count))
    }
}
