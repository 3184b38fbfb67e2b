import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Foundation
import TestVectors
import Testing

@Suite("Making bundles")
struct BundleTests {
    @Test("Statements in any order make one text, which is valid")
    func order() throws {
        let names = ["carol", "alice", "bob"]
        let statements = try names.map { try Crowd.statement($0) }
        let expected = Crowd.text([statements[1], statements[2], statements[0]])
        for rotation in 0..<3 {
            let made = try UnverifiedBundle(collecting: Array(statements[rotation...] + statements[..<rotation]))
            #expect(made.text == expected)
        }
        #expect(Crowd.code(expected) == "valid")
        #expect(Crowd.begins(expected))
    }

    @Test("What a valid one says: who, how many, and what all of them say")
    func says() throws {
        let text = Crowd.text(try ["alice", "bob"].map { try Crowd.statement($0) })
        var policy = Policy()
        for (rule, needed) in [(QuorumRule.asClaimed, 2), (.atLeast(1), 2), (.any, 1)] {
            policy.quorum = rule
            let verdict = StatementVerifier(trust: Keys.trust, policy: policy).verifyBundle(text, at: Judge.now)
            guard case .valid(let bundle) = verdict.outcome else {
                Issue.record("not valid: \(verdict.code)")
                continue
            }
            #expect(bundle.needed == needed && bundle.statements.map(\.claims.subject.text) == ["alice", "bob"])
            #expect(bundle.shared.payload == "Pay 5.00 EUR to Bob" && bundle.shared.reserved[.request] == "r-1")
            #expect(verdict.statements.map(\.code) == ["valid", "valid"])
        }
    }

    private static let strangers: [Row<[Draft]>] = [
        Row("nothing", [], "bundle-statements"),
        Row("65", (0..<65).map { Crowd.draft("user-\($0)") }, "bundle-statements"),
        Row("the same person", [Crowd.draft("alice"), .example], "same-signer"),
        Row("the same id", [Crowd.draft("alice"), Crowd.draft("alice").with("sub", #""bob""#)], "same-id"),
        Row("another quorum", [Crowd.draft("alice"), Crowd.draft("bob", quorum: "1/3")], "unequal-quorum"),
        Row("no quorum", [Crowd.draft("alice"), Crowd.draft("bob", quorum: nil)], "unequal-request"),
        Row("another payload", [Crowd.draft("alice"), Crowd.draft("bob").with("payload", #""x""#)], "unequal-payload"),
        Row("claims", [Crowd.draft("alice"), Crowd.draft("bob").with("acr", #""x""#)], "claim-acr"),
    ]

    @Test("V22, V23: what does not belong together is not put together", arguments: strangers)
    func unfit(row: Row<[Draft]>) throws {
        let texts = try row.input.map { String(decoding: try $0.text(), as: UTF8.self) }
        let fault = #expect(throws: BundleFault.self) { _ = try UnverifiedBundle(collecting: texts) }
        #expect(fault?.code == row.code)
    }

    @Test("Places are those of the statements as they were given")
    func places() throws {
        let texts = try ["carol", "bob", "alice", "bob"].map { try Crowd.statement($0) }
        let fault = #expect(throws: BundleFault.self) { _ = try UnverifiedBundle(collecting: texts) }
        #expect(fault?.place == 4 && fault?.description == "statements 2 and 4 are of the same person")
    }

    @Test("Keys come from trust files; a private or malformed one is refused")
    func keys() throws {
        let key = try Keys.trusted(.es256).publicKey
        let statement = try Crowd.statement("alice", quorum: "1/3")
        let jwks = TrustFiles.jwks([key])
        let made = try UnverifiedBundle(collecting: [statement], keys: BundleKeys(file: jwks + Array("\n".utf8)))
        #expect(made.text == Crowd.text([statement], keys: String(decoding: jwks, as: UTF8.self)))
        #expect(Crowd.code(made.text) == "valid")
        for file in [#"{"keys":[]}"#, #"{"keys":[{"kty":"oct","k":"AAAA"}]}"#, "", "-----BEGIN PUBLIC KEY-----", "eyJ"]
        {
            #expect(throws: TrustError.self) { _ = try BundleKeys(file: Array(file.utf8)) }
        }
    }

    @Test("V24: a key in the bundle is trusted by nobody")
    func foreign() throws {
        let stranger = try Keys.stranger(.es256)
        let keys = String(decoding: TrustFiles.jwks([stranger.publicKey]), as: UTF8.self)
        let statement = try Crowd.statement("alice", quorum: "1/3", key: stranger)
        #expect(Crowd.code(Crowd.text([statement], keys: keys)) == "unknown-key")
    }

    @Test("Sixteen of the longest statements that a person can sign fit, with the longest key")
    func longest() throws {
        let key = try PrivateKey(generating: .rs256, rsaBits: 4096)
        let signer = StatementSigner(key)
        // As many characters as may be (S01, S02), of as many bytes as may be.
        let character = { (marks: Int) in "\"" + String(repeating: "\u{301}", count: marks) }
        let payload = String(repeating: character(4), count: 298) + String(repeating: character(3), count: 202)
        let reason = String(repeating: character(5), count: 62) + String(repeating: character(4), count: 38)
        #expect(payload.count == 500 && payload.utf8.count == 4096 && reason.count == 100 && reason.utf8.count == 1024)
        let texts = try (0..<Quorum.maxRequired).map { index in
            let made = try LegalClaims(
                level: .four, optional: [.audience, .device, .request, .quorum], methods: AuthenticationMethod.allCases
            ) { name, limit in
                switch name {
                case .payload: payload
                case .reason: reason
                case .subject: String(repeating: "a", count: limit - 2) + String(index + 10)
                case .quorum: "16/9999"
                default: String(repeating: "\"", count: limit)
                }
            }
            return String(decoding: try StatementText.sign(made.claims, with: signer), as: UTF8.self)
        }
        // They have one id, which is found after the form was.
        let keys = String(decoding: TrustFiles.jwks([key.publicKey]), as: UTF8.self)
        #expect(Crowd.code(Crowd.text(texts, keys: keys)) == "same-id")
    }

    @Test("A text is taken for a bundle if it begins like one, and for nothing else then")
    func begins() {
        let bundles = [#"{"bundle":1"#, #" { "bundle" "#, "\n{\r\n\t\"bundle\"", #"{"bundle""#]
        let others = [
            "", "{", #"{"bundle"#, #"{"bundles":"#, #"{"a":1,"bundle":1}"#, "\"bundle\"", #"{{"bundle""#, "eyJ",
        ]
        for text in bundles { #expect(Crowd.begins(Array(text.utf8))) }
        for text in others { #expect(!Crowd.begins(Array(text.utf8))) }
    }

    @Test("The table of docs/bundle.md has every reason, and no other; each has its own words")
    func reasons() throws {
        let faults: [BundleFault] = [
            .tooLong, .malformed, .version, .statements, .evidence, .keys, .sameSigner(1, 2), .sameID(1, 2),
            .unequal(.payload, 2), .order(2), .quorumMissing, .quorumNotMet(found: 1, needed: 2),
            .quorumExceeded(found: 3, asked: 2),
        ]
        let page = VectorFile.own.deletingLastPathComponent().appending(path: "docs/bundle.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { row in
            row.hasPrefix("| | `") || row.hasPrefix("| invalid | `")
        }
        let listed = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        let codes = faults.map(\.code).map { $0 == "unequal-payload" ? "unequal-NAME" : $0 }
        #expect(listed == codes)
        #expect(Set(faults.map(\.description)).count == faults.count)
        #expect(BundleFault.statement(3, .signature).code == InvalidReason.signature.code)
    }
}

/// Trust files as they are exported.
enum TrustFiles {
    static func jwks(_ keys: [PublicKey]) -> [UInt8] { JWKSet(keys).json }
}
