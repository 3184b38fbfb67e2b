internal import CountersignKeys
internal import Synchronization

/// Makes the ids of requests: always ours, never the client's. 15 characters, so that Swift keeps them without memory of
/// their own.
final class RequestIDs: Sendable {
    private let prefix: UInt64
    private let next = Atomic<UInt64>(0)

    init() throws {
        // 30 random bits for the process.
        prefix = try SecureRandom.bytes(4).reduce(0) { $0 << 8 | UInt64($1) } & 0x3FFF_FFFF
    }

    /// An id that no other request of this process has.
    func make() -> String {
        let number = next.wrappingAdd(1, ordering: .relaxed).newValue
        return unsafe String(unsafeUninitializedCapacity: 15) { buffer in
            var (head, tail) = (prefix, number)
            for index in stride(from: 5, through: 0, by: -1) {
                unsafe buffer[index] = Self.letter(head)
                head >>= 5
            }
            for index in stride(from: 14, through: 6, by: -1) {
                unsafe buffer[index] = Self.letter(tail)
                tail >>= 5
            }
            return 15
        }
    }

    /// Crockford's alphabet, in lower case.
    private static func letter(_ value: UInt64) -> UInt8 {
        let digit = UInt8(value & 31)
        if digit < 10 { return UInt8(ascii: "0") + digit }
        let letters: StaticString = "abcdefghjkmnpqrstvwxyz"
        return unsafe letters.utf8Start[Int(digit) - 10]
    }
}
