import CountersignKeys
import Foundation
import TestVectors
import Testing

/// Project Wycheproof's verdicts, each decided exactly as it says. There is no "acceptable" one in these files; if a newer
/// edition has one, its test fails here and is decided then.
@Suite("Wycheproof", .enabled(if: VectorFile.suites != nil, "COUNTERSIGN_VECTORS names no folder"))
struct WycheproofTests {
    struct File: Sendable, CustomTestStringConvertible {
        let name: String
        let algorithm: KeyAlgorithm
        let tests: Int
        var testDescription: String { name }
    }

    private struct Suite: Decodable {
        struct Group: Decodable {
            struct Case: Decodable {
                let tcId: Int
                let msg: Hex
                let sig: Hex
                let result: String
            }
            let publicKeyPem: String
            let tests: [Case]
        }
        let numberOfTests: Int
        let testGroups: [Group]
    }

    static let files = [
        File(name: "ecdsa_secp256r1_sha256_p1363_test.json", algorithm: .es256, tests: 262),
        File(name: "ecdsa_secp384r1_sha384_p1363_test.json", algorithm: .es384, tests: 280),
        File(name: "ed25519_test.json", algorithm: .edDSA, tests: 151),
        File(name: "rsa_pss_2048_sha256_mgf1_32_test.json", algorithm: .ps256, tests: 108),
    ]

    @Test("V10, V11, V12: every verdict is Wycheproof's", arguments: files)
    func verdicts(_ file: File) throws {
        let suite = try JSONDecoder().decode(Suite.self, from: VectorFile.suite("wycheproof/\(file.name)"))
        #expect(suite.numberOfTests >= file.tests)
        let batch = SignatureBatch()
        var decided = 0
        for group in suite.testGroups {
            let key = try PublicKey(pem: group.publicKeyPem, algorithm: file.algorithm)
            let verifier = key.makeVerifier()
            let table = SignatureTable(key)
            for test in group.tests {
                let message = test.msg.bytes
                let signature = test.sig.bytes
                let isValid = verifier.isValid(signature.span, for: message.span)
                #expect(isValid == (test.result == "valid"), "\(test.tcId)")
                #expect(test.result != "acceptable", "\(test.tcId)")
                #expect(key.accepts(signature, for: message) == isValid, "\(test.tcId), alone")
                if let table {
                    let isTaken = batch.append(signature.span, for: message.span, with: table)
                    #expect(
                        batch.check() == (isTaken ? [isValid] : []) && (isTaken || !isValid), "\(test.tcId), by table")
                    batch.removeAll()
                }
                decided += 1
            }
        }
        #expect(decided == suite.numberOfTests)
    }
}
