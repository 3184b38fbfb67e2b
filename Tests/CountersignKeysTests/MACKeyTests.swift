import CountersignKeys
import Testing

@Suite("HMAC-SHA256")
struct MACKeyTests {
    @Test(
        "RFC 4231 section 4: its test cases",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                Array(1...25), [UInt8](repeating: 0xCD, count: 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                Array(
                    ("This is a test using a larger than block-size key and a larger than block-size data. "
                        + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
        ] as [([UInt8], [UInt8], String)])
    func known(secret: [UInt8], message: [UInt8], tag: String) throws {
        #expect(try MACKey(SecretBytes(secret)).tag(of: message) == [UInt8](hex: tag))
    }

    @Test("An empty message has a tag too")
    func emptyMessage() throws {
        let tag = "8bb990c40a7d61cb97597a942125025be50ac8beb74436e3735b98893a7f6620"
        #expect(try MACKey(SecretBytes("k")).tag(of: []) == [UInt8](hex: tag))
    }

    @Test("One key tags many messages as a new key tags each; on many threads too")
    func again() async throws {
        let secret = Array("a key for many".utf8)
        let key = try MACKey(SecretBytes(secret))
        let messages = (0..<200).map { number in [UInt8](repeating: UInt8(number), count: number * 7 % 300) }
        let tags = try messages.map { try MACKey(SecretBytes(secret)).tag(of: $0) }
        #expect(try (messages + messages.reversed()).map { try key.tag(of: $0) } == tags + tags.reversed())
        try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<8 { group.addTask { try messages.map { try key.tag(of: $0) } } }
            for try await result in group { #expect(result == tags) }
        }
    }

    @Test("RFC 5869 section 2.3: a derived key is HKDF-Expand of the label; another label, another key")
    func derivation() throws {
        let master = try AEADKey(SecretBytes([UInt8](repeating: 7, count: 32)))
        let secret = try #require(
            [UInt8](hex: "4cabb51cd866269bd668c4331d3aa6846464bfb7ac80f9eb45d81ba0a17ac624"))
        let message = Array("text".utf8)
        let tag = try master.derive("activation codes").tag(of: message)
        #expect(try tag == MACKey(SecretBytes(secret)).tag(of: message))
        #expect(try tag != master.derive("activation code").tag(of: message))
    }

    @Test("Two new keys differ, and neither shows itself")
    func secrecy() throws {
        let (first, second) = (try MACKey(), try MACKey())
        #expect(try first.tag(of: []) != second.tag(of: []))
        #expect("\(first)" == "MACKey")
    }
}

extension MACKey {
    fileprivate func tag(of message: [UInt8]) throws(KeyError) -> [UInt8] {
        try hmacSHA256(message.span)
    }
}
