import CountersignKeys
import Testing

@Suite("Keys that are refused")
struct RefusalTests {
    @Test("V12, V13: weak or odd numbers are refused, each with its own code", arguments: RefusedKey.components)
    func components(_ vector: RefusedKey) throws {
        let components = try #require(vector.components?.components)
        let algorithm = try #require(vector.algorithm)
        #expect(refusal { () throws(KeyError) in try PublicKey(components, algorithm: algorithm) } == vector.code)
    }

    @Test("V12, V13, V16: public keys that are not one sound key in one spelling", arguments: RefusedKey.publicKeys)
    func publicKeys(_ vector: RefusedKey) throws {
        let pem = try #require(vector.pem)
        #expect(refusal { () throws(KeyError) in try PublicKey(pem: pem, algorithm: vector.algorithm) } == vector.code)
    }

    @Test("K2, K3: hostile private keys, and halves that do not match", arguments: RefusedKey.privateKeys)
    func privateKeys(_ vector: RefusedKey) throws {
        let pem = try #require(vector.pem)
        let code = refusal { () throws(KeyError) in
            try PrivateKey(pem: pem, passphrase: vector.passphrase, algorithm: vector.algorithm)
        }
        #expect(code == vector.code)
    }

    @Test(
        "A key in another form is refused with what to do about it",
        arguments: [
            ("EC PRIVATE KEY", "openssl pkcs8 -topk8"), ("EC PARAMETERS", "openssl pkcs8 -topk8"),
            ("RSA PRIVATE KEY", "openssl pkcs8 -topk8"), ("OPENSSH PRIVATE KEY", "ssh-keygen -p -m PKCS8"),
            ("RSA PUBLIC KEY", "openssl rsa -RSAPublicKey_in -pubout"), ("CERTIFICATE", "openssl x509 -pubkey"),
            ("DSA PRIVATE KEY", "not supported"), ("SOMETHING", "not one key in PEM form"),
        ])
    func advice(_ label: String, _ words: String) {
        let pem = "-----BEGIN \(label)-----\nAAAA\n-----END \(label)-----\n"
        do {
            _ = try PrivateKey(pem: pem)
            Issue.record("accepted")
        } catch {
            #expect(error.code == .malformed)
            #expect(error.detail.contains(words))
        }
    }

    @Test("V13: RSA keys of other sizes are not made")
    func generation() {
        let cases: [(Int, KeyError.Code)] = [
            (0, .modulusTooSmall), (-1, .modulusTooSmall), (1024, .modulusTooSmall), (2047, .modulusTooSmall),
            (2049, .generationFailed), (4097, .modulusTooLarge), (.max, .modulusTooLarge),
        ]
        for (bits, code) in cases {
            #expect(refusal { () throws(KeyError) in try PrivateKey(generating: .rs256, rsaBits: bits) } == code)
        }
    }

    @Test("V13: RSA of 2,048 and 4,096 bits is taken", arguments: [2048, 4096])
    func sizes(_ bits: Int) throws {
        let key = try PrivateKey(generating: .ps256, rsaBits: bits)
        let signature = try key.signature(of: [1, 2, 3])
        #expect(signature.count == bits / 8)
        #expect(key.publicKey.accepts(signature, for: [1, 2, 3]))
    }

    @Test("An error carries OpenSSL's reason, and leaves nothing behind for the next one")
    func reasons() throws {
        let zeros = [UInt8](repeating: 0, count: 32)
        for _ in 0..<3 {
            do {
                _ = try PublicKey(.ec(x: zeros, y: zeros), algorithm: .es256)
                Issue.record("accepted")
            } catch {
                #expect(error.reason == "point is not on curve")
                #expect(error.description == "the point is not on P-256 (OpenSSL: point is not on curve)")
            }
        }
        #expect(KeyError.Code.allCases.count == Set(KeyError.Code.allCases.map(\.rawValue)).count)
    }
}
