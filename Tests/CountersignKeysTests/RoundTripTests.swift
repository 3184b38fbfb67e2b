import CountersignKeys
import Testing

@Suite("Round trips")
struct RoundTripTests {
    static let message = Array("Transfer 100 EUR to Alice".utf8)

    @Test("Every algorithm signs, verifies, and survives every export", arguments: KeyAlgorithm.allCases)
    func exports(_ algorithm: KeyAlgorithm) throws {
        let key = try PrivateKey(generating: algorithm, rsaBits: 2048)
        let signature = try key.signature(of: Self.message)
        let copies = [
            try key.der().withBytes { der in try PrivateKey(der: der, algorithm: algorithm) },
            try PrivateKey(pem: try key.pem().text, algorithm: algorithm),
            try PrivateKey(
                pem: try key.encryptedPEM(passphrase: SecretBytes("correct horse")).text, passphrase: "correct horse",
                algorithm: algorithm),
        ]
        for copy in copies {
            #expect(copy.publicKey == key.publicKey)
            #expect(copy.publicKey.accepts(signature, for: Self.message))
            #expect(key.publicKey.accepts(try copy.signature(of: Self.message), for: Self.message))
            #expect(try copy.der().bytes == key.der().bytes)
        }
        #expect(try PublicKey(pem: key.publicKey.pem, algorithm: algorithm) == key.publicKey)
        #expect(try PublicKey(key.publicKey.components, algorithm: algorithm) == key.publicKey)
    }
}
