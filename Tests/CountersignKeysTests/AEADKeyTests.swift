import CountersignKeys
import Testing

@Suite("AES-256-GCM")
struct AEADKeyTests {
    private let key: AEADKey
    private let binding = Array("keys/1".utf8)

    init() throws {
        key = try AEADKey(SecretBytes([UInt8](repeating: 7, count: 32)))
    }

    @Test("What is sealed is opened, of any length", arguments: [0, 1, 15, 16, 17, 4_096])
    func roundTrip(_ count: Int) throws {
        let plain = [UInt8](repeating: 0x41, count: count)
        for binding in [[], binding] {
            let sealed = try key.seal(plain, binding: binding)
            #expect(sealed.count == 12 + count + 16)
            #expect(try key.open(sealed, binding: binding) == plain)
        }
    }

    @Test("Opens what another implementation sealed: NIST's test case 16 of the GCM specification")
    func known() throws {
        let secret = try #require(
            [UInt8](hex: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"))
        let sealed = try #require(
            [UInt8](
                hex: "cafebabefacedbaddecaf888"
                    + "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                    + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                    + "76fc6ece0f4e1768cddf8853bb2d551b"))
        let binding = try #require([UInt8](hex: "feedfacedeadbeeffeedfacedeadbeefabaddad2"))
        let plain = try #require(
            [UInt8](
                hex: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                    + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"))
        #expect(try AEADKey(SecretBytes(secret)).open(sealed, binding: binding) == plain)
    }

    @Test("Every changed bit, shortening, other binding or other key is refused")
    func tampered() throws {
        let sealed = try key.seal(Array("a private key".utf8), binding: binding)
        for index in sealed.indices {
            for bit in 0..<8 {
                var other = sealed
                other[index] ^= 1 << UInt8(bit)
                #expect(refusal { () throws(KeyError) in try key.open(other, binding: binding) } == .openFailed)
            }
        }
        for count in 0..<sealed.count {
            let other = Array(sealed.prefix(count))
            #expect(refusal { () throws(KeyError) in try key.open(other, binding: binding) } == .openFailed)
        }
        for other in [[], Array("keys/2".utf8), binding + [0]] {
            #expect(refusal { () throws(KeyError) in try key.open(sealed, binding: other) } == .openFailed)
        }
        let stranger = try AEADKey(SecretBytes([UInt8](repeating: 8, count: 32)))
        #expect(refusal { () throws(KeyError) in try stranger.open(sealed, binding: binding) } == .openFailed)
    }

    @Test("A key has 32 bytes", arguments: [0, 16, 31, 33])
    func lengths(_ count: Int) {
        let secret = SecretBytes([UInt8](repeating: 0, count: count))
        #expect(refusal { () throws(KeyError) in try AEADKey(secret) } == .malformed)
    }

    @Test("K7: a nonce does not come twice")
    func nonces() throws {
        var seen = Set<[UInt8]>()
        for _ in 0..<100_000 { seen.insert(Array(try key.seal([], binding: []).prefix(12))) }
        #expect(seen.count == 100_000)
    }
}
