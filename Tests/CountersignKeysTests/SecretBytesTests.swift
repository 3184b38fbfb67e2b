import CountersignKeys
import Testing

@Suite("Secret bytes")
struct SecretBytesTests {
    private struct Failure: Error {}

    @Test("L1: nothing prints a secret")
    func silence() throws {
        let secret = SecretBytes("canary-4711")
        let key = try PrivateKey(generating: .es256)
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), String(describing: [secret]), dumped] {
            #expect(!text.contains("canary"))
            #expect(text.contains("SecretBytes"))
        }
        #expect("\(key)" == "PrivateKey(ES256)")
    }

    @Test("Holds what it was given, of any length", arguments: [0, 1, 31, 4095, 4096, 4097, 100_000])
    func contents(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        #expect(SecretBytes(bytes).bytes == bytes)
        #expect(SecretBytes(bytes).count == count)
        let filled = SecretBytes(count: count) { span in
            for index in span.indices { span[index] = bytes[index] }
        }
        #expect(filled.bytes == bytes)
        let appended = SecretBytes(capacity: count + 10) { output in
            for byte in bytes { output.append(byte) }
        }
        #expect(appended.bytes == bytes)
        #expect(appended.count == count)
    }

    @Test("What is not filled is zero, and an initialiser that throws gives nothing")
    func failures() {
        #expect(SecretBytes(count: 3) { _ in }.bytes == [0, 0, 0])
        #expect(throws: Failure.self) {
            try SecretBytes(count: 3) { (_: inout MutableSpan<UInt8>) throws(Failure) in throw Failure() }
        }
        #expect(throws: Failure.self) {
            try SecretBytes(capacity: 3) { (output: inout OutputSpan<UInt8>) throws(Failure) in
                output.append(1)
                throw Failure()
            }
        }
    }

    @Test("Wiping empties an array")
    func wiping() {
        var bytes: [UInt8] = [1, 2, 3]
        wipe(&bytes)
        #expect(bytes.isEmpty)
        wipe(&bytes)
        #expect(bytes.isEmpty)
    }

    @Test("Equality needs the same length and bytes")
    func equality() {
        func isEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool { constantTimeEqual(first.span, second.span) }
        #expect(isEqual([], []))
        #expect(isEqual([1, 2], [1, 2]))
        #expect(!isEqual([1, 2], [1, 3]))
        #expect(!isEqual([1, 2], [1, 2, 0]))
        #expect(!isEqual([], [0]))
    }
}
