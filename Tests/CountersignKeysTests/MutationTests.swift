import CountersignKeys
import Testing

@Suite("Changed key files")
struct MutationTests {
    /// A changed private key may still be one (a bit of a seed); then its halves belong together, or it is refused.
    @Test("K2, K3: a changed byte of PKCS#8 never crashes, and never makes a key that disagrees with itself")
    func privateKeys() throws {
        for (algorithm, rounds) in [(KeyAlgorithm.es256, 1_000), (.edDSA, 500), (.es384, 200), (.ps256, 400)] {
            let der = try PrivateKey(generating: algorithm, rsaBits: 2048).der().bytes
            var wrong = 0
            for round in 0..<rounds {
                var other = der
                let index = round % der.count
                other[index] = round < der.count ? other[index] ^ 0x01 : UInt8.random(in: 0...255)
                let secret = SecretBytes(other)
                guard let key = try? secret.withBytes({ bytes in try PrivateKey(der: bytes, algorithm: algorithm) })
                else { continue }
                if !key.publicKey.accepts(try key.signature(of: [1]), for: [1]) { wrong += 1 }
            }
            #expect(wrong == 0)
        }
    }

    @Test("Cut or random bytes are no keys, and crash nothing")
    func garbage() throws {
        let der = try PrivateKey(generating: .es256).der().bytes
        for count in 0..<der.count {
            let cut = SecretBytes(Array(der.prefix(count)))
            #expect(throws: KeyError.self) {
                try cut.withBytes { bytes in try PrivateKey(der: bytes, algorithm: .es256) }
            }
        }
        for _ in 0..<2_000 {
            var bytes = try SecureRandom.bytes(Int.random(in: 0...200))
            if let first = bytes.indices.first { bytes[first] = 0x30 }
            let random = SecretBytes(bytes)
            #expect(throws: KeyError.self) {
                try random.withBytes { bytes in try PrivateKey(der: bytes, algorithm: .edDSA) }
            }
        }
    }
}
