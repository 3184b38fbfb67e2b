import CountersignKeys
import CountersignVerifier
import Testing

@Suite("Trust from PEM")
struct PEMTests {
    private static func code(_ key: PrivateKey, trust file: String, rsaAlgorithm: KeyAlgorithm? = nil) throws -> String
    {
        let trust = try TrustStore(Array(file.utf8), rsaAlgorithm: rsaAlgorithm)
        return StatementVerifier(trust: trust, policy: Judge.lenient).verify(try Draft.example.text(key), at: 0).code
    }

    @Test("RFC 7468: one key and several, with white space between", arguments: ["", "\n", "\r\n \t\n"])
    func several(space: String) throws {
        let algorithms: [KeyAlgorithm] = [.es256, .edDSA, .es384]
        let pems = try algorithms.map { try Keys.trusted($0).publicKey.pem }
        let file = space + pems.joined(separator: space) + space
        for (algorithm, pem) in zip(algorithms, pems) {
            #expect(try Self.code(Keys.trusted(algorithm), trust: pem) == "valid")
            #expect(try Self.code(Keys.trusted(algorithm), trust: file) == "valid")
            #expect(try Self.code(Keys.stranger(algorithm), trust: file) == "unknown-key")
        }
        #expect(try TrustStore(Array(file.utf8)).keyCount == 3)
        #expect(try TrustStore(Array((file + file).utf8)).keyCount == 3)
        #expect(try Self.code(Keys.trusted(.es256), trust: file.replacing("\n", with: "\r\n")) == "valid")
    }

    @Test("RSA needs its algorithm, which PEM cannot say")
    func rsa() throws {
        let key = try Keys.trusted(.ps256)
        let pem = key.publicKey.pem
        #expect(refusal(of: pem) == .algorithmNeeded)
        #expect(try Self.code(key, trust: pem, rsaAlgorithm: .ps256) == "valid")
        #expect(try Self.code(key, trust: pem, rsaAlgorithm: .rs256) == "algorithm-mismatch")
        #expect(refusal(of: pem, rsaAlgorithm: .es256) == .malformedPEM)
        let mixed = pem + (try Keys.trusted(.es256).publicKey.pem)
        #expect(try Self.code(Keys.trusted(.es256), trust: mixed, rsaAlgorithm: .ps256) == "valid")
    }

    @Test("K: private keys and whatever else is no public key refuse the file")
    func others() throws {
        let key = try Keys.trusted(.es256)
        let pem = key.publicKey.pem
        let secret = try key.pem().withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
        let lines = pem.split(separator: "\n")
        for file in [
            secret, pem + secret, secret + pem, pem + "x", pem + "x\n" + pem, "-x" + pem, "-" + pem, pem + "\u{0}",
            pem + "\u{A0}",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            "-----BEGIN RSA PUBLIC KEY-----\nAAAA\n-----END RSA PUBLIC KEY-----\n",
            "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n",
            "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
            "-----BEGIN PUBLIC KEY-----\n!!!!\n-----END PUBLIC KEY-----\n", "-----BEGIN PUBLIC KEY-----", "-", "-----",
            "-----BEGIN PUBLIC KEY----- -----END PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----END PUBLIC KEY-----",
            lines.dropLast().joined(separator: "\n"), lines[0] + "\n" + pem, pem.replacing("PUBLIC", with: "public"),
            pem.replacing("-----END PUBLIC KEY-----", with: "-----END CERTIFICATE-----"),
        ] { #expect(refusal(of: file) == .malformedPEM, "\(file.prefix(80))") }
        #expect(refusal(of: "# key\n" + pem) == .unknownFormat)
        #expect(refusal(of: pem, root: key.keyID) == .rootNotExpected)
    }

    @Test("Many blocks and no end take no time")
    func many() {
        let begin = "-----BEGIN PUBLIC KEY-----"
        for file in [String(repeating: begin, count: 8_000), begin + String(repeating: "-", count: 200_000)] {
            let time = ContinuousClock().measure { #expect(refusal(of: file) == .malformedPEM) }
            #expect(time < .seconds(5))
        }
    }
}
