import CountersignKeys
import Foundation
import Testing

/// The `openssl` command on the other side of every format.
@Suite("The openssl command", .enabled(if: OpenSSLCommand.isThere, "there is no openssl command"))
struct InteropTests {
    static let message = Array("Transfer 100 EUR\nto Alice \u{1F469}\u{200D}\u{1F467}".utf8)

    @Test("Signs here, verifies there", arguments: KeyAlgorithm.allCases)
    func there(_ algorithm: KeyAlgorithm) throws {
        let command = try OpenSSLCommand()
        let key = try PrivateKey(generating: algorithm, rsaBits: 2048)
        let signature = try key.signature(of: Self.message)
        try command.write(Array(key.publicKey.pem.utf8), to: "public.pem")
        try command.write(Self.message, to: "message")
        try command.write(algorithm.isECDSA ? DER.ecdsa(signature) : signature, to: "signature")
        let verify =
            ["pkeyutl", "-verify", "-pubin", "-inkey", "public.pem", "-sigfile", "signature"] + algorithm.options
        #expect(try command.run(verify).status == 0)
        try command.write(Self.message + [0], to: "message")
        #expect(try command.run(verify).status != 0)
    }

    @Test("Signs there, verifies here", arguments: KeyAlgorithm.allCases)
    func here(_ algorithm: KeyAlgorithm) throws {
        let command = try OpenSSLCommand()
        #expect(try command.run(["genpkey", "-out", "key.pem"] + algorithm.generation).status == 0)
        #expect(try command.run(["pkey", "-in", "key.pem", "-pubout", "-out", "public.pem"]).status == 0)
        try command.write(Self.message, to: "message")
        let sign = ["pkeyutl", "-sign", "-inkey", "key.pem", "-out", "signature"] + algorithm.options
        #expect(try command.run(sign).status == 0)
        let written = try command.read("signature")
        let signature = algorithm.curveWidth.map { DER.fixed(written, width: $0) } ?? written
        let key = try PublicKey(pem: try command.text("public.pem"), algorithm: algorithm)
        #expect(key.accepts(signature, for: Self.message))
        #expect(!key.accepts(signature, for: Self.message + [0]))
        #expect(try key.pem == command.text("public.pem"))
        let privateKey = try PrivateKey(pem: try command.text("key.pem"), algorithm: algorithm)
        #expect(privateKey.publicKey == key)
        #expect(try privateKey.pem().text == command.text("key.pem"))
    }

    @Test("An encrypted key written here is read there", arguments: KeyAlgorithm.allCases)
    func encryptedThere(_ algorithm: KeyAlgorithm) throws {
        let command = try OpenSSLCommand()
        let key = try PrivateKey(generating: algorithm, rsaBits: 2048)
        try command.write(key.encryptedPEM(passphrase: SecretBytes("a long passphrase")).bytes, to: "key.pem")
        try command.write(Array("a long passphrase".utf8), to: "right")
        try command.write(Array("another".utf8), to: "wrong")
        let convert = ["pkcs8", "-in", "key.pem", "-passin", "file:right"]
        #expect(try command.run(convert).output == key.pem().bytes)
        #expect(try command.run(["pkcs8", "-in", "key.pem", "-passin", "file:wrong"]).status != 0)
        let text = String(decoding: try command.run(["asn1parse", "-in", "key.pem"]).output, as: UTF8.self)
        for part in ["PBES2", "PBKDF2", "hmacWithSHA256", "aes-256-cbc", ":0927C0"] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test(
        "An encrypted key written there is read here",
        arguments: [
            ["-v2", "aes256"], ["-v2", "aes128", "-iter", "1"], ["-v2", "aes-192-cbc", "-v2prf", "hmacWithSHA512"],
            ["-v2", "aes256", "-iter", "2000000"], ["-scrypt"],
            ["-scrypt", "-scrypt_N", "8192", "-scrypt_r", "8", "-scrypt_p", "4"],
        ])
    func encryptedHere(_ options: [String]) throws {
        let command = try OpenSSLCommand()
        let key = try PrivateKey(generating: .edDSA)
        try command.write(key.pem().bytes, to: "plain.pem")
        try command.write(Array("secret".utf8), to: "right")
        let encrypt = ["pkcs8", "-topk8", "-in", "plain.pem", "-out", "key.pem", "-passout", "file:right"] + options
        #expect(try command.run(encrypt).status == 0)
        let text = try command.text("key.pem")
        #expect(try PrivateKey(pem: text, passphrase: "secret").publicKey == key.publicKey)
        #expect(refusal { () throws(KeyError) in try PrivateKey(pem: text, passphrase: "Secret") } == .wrongPassphrase)
        #expect(refusal { () throws(KeyError) in try PrivateKey(pem: text) } == .passphraseNeeded)
    }

    @Test("An EC key without its public half is completed; a compressed half is understood")
    func ecForms() throws {
        let command = try OpenSSLCommand()
        let key = try PrivateKey(generating: .es256)
        try command.write(key.pem().bytes, to: "plain.pem")
        for options in [["-no_public"], ["-conv_form", "compressed"]] {
            #expect(try command.run(["ec", "-in", "plain.pem", "-out", "ec.pem"] + options).status == 0)
            let convert = ["pkcs8", "-topk8", "-nocrypt", "-in", "ec.pem", "-out", "key.pem"]
            #expect(try command.run(convert).status == 0)
            #expect(try PrivateKey(pem: try command.text("key.pem")).publicKey == key.publicKey)
        }
    }
}

extension KeyAlgorithm {
    fileprivate var isECDSA: Bool { curveWidth != nil }

    fileprivate var curveWidth: Int? {
        switch self {
        case .es256: 32
        case .es384: 48
        case .edDSA, .ps256, .rs256: nil
        }
    }

    /// How `openssl genpkey` is told.
    fileprivate var generation: [String] {
        switch self {
        case .es256: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
        case .es384: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"]
        case .edDSA: ["-algorithm", "ED25519"]
        case .ps256, .rs256: ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
        }
    }

    /// How `openssl pkeyutl` is told.
    fileprivate var options: [String] {
        let pss = ["rsa_padding_mode:pss", "rsa_pss_saltlen:32", "rsa_mgf1_md:sha256"].flatMap { ["-pkeyopt", $0] }
        let input = ["-rawin", "-in", "message"]
        switch self {
        case .es256, .rs256: return input + ["-digest", "sha256"]
        case .es384: return input + ["-digest", "sha384"]
        case .edDSA: return input
        case .ps256: return input + ["-digest", "sha256"] + pss
        }
    }
}
