import CountersignKeys
import CountersignVerifier
import Foundation
import TestVectors
import Testing

@Suite("Writing statements")
struct EncodingTests {
    private static func payload(_ text: [UInt8]) throws -> String {
        String(decoding: try Compact.decoded(Compact.parts(text)[1]), as: UTF8.self)
    }

    private static func text(_ name: ClaimName, _ limit: Int) -> String {
        switch name {
        case .subject: "alice"
        case .quorum: "2/3"
        default: "\(name.rawValue)-value"
        }
    }

    @Test("The example of docs/statement.md, byte for byte", arguments: KeyAlgorithm.allCases)
    func example(algorithm: KeyAlgorithm) throws {
        let page = VectorFile.own.deletingLastPathComponent().appending(path: "docs/statement.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let example = try #require(lines.first { $0.hasPrefix(#"{"iss":"#) })
        #expect(Draft.example.json == example)
        let key = try Keys.trusted(algorithm)
        let claims = try Judge.claims(Draft.example.text(key))
        let text = try StatementText.sign(claims, with: StatementSigner(key))
        #expect(try Self.payload(text) == example)
        let header = try Compact.decoded(Compact.parts(text)[0])
        #expect(
            String(decoding: header, as: UTF8.self)
                == #"{"alg":"\#(algorithm.rawValue)","kid":"\#(key.keyID)","typ":"countersign+jwt"}"#)
        #expect(try Judge.code(text, policy: Policy()) == "valid")
        let lengths: [KeyAlgorithm: Int] = [.es256: 64, .edDSA: 64, .es384: 96, .ps256: 256, .rs256: 256]
        #expect(try Compact.decoded(Compact.parts(text)[2]).count == lengths[algorithm])
    }

    @Test("Every combination of optional claims at every level", arguments: AuthLevel.allCases)
    func combinations(level: AuthLevel) throws {
        let signer = StatementSigner(try Keys.trusted(.es256))
        let session = StatementVerifier(trust: Keys.trust, policy: Judge.lenient).makeSession()
        for bits in 0..<(1 << LegalClaims.optional.count) {
            let optional = LegalClaims.optional.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)
            let made = try LegalClaims(
                level: level, optional: Set(optional), methods: level == .four ? [.idv] : [.pwd], text: Self.text)
            let text = try StatementText.sign(made.claims, with: signer)
            #expect(try Self.payload(text) == made.draft.json)
            #expect(session.code(text) == "valid")
        }
    }

    @Test("Any legal claims come back as they were, and their text is the only one (W3)", arguments: 0..<4)
    func roundTrip(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let key = try Keys.trusted(.edDSA)
        let signer = StatementSigner(key)
        for _ in 0..<250 {
            let made = try LegalClaims.random(&numbers)
            let text = try StatementText.sign(made.claims, with: signer)
            #expect(try Self.payload(text).utf8.elementsEqual(made.draft.json.utf8))
            guard text.count <= StatementText.maxBytes else {
                #expect(try Judge.code(text) == "too-long")
                continue
            }
            let read = try Judge.claims(text)
            #expect(read.payload.utf8.elementsEqual(made.claims.payload.utf8))
            #expect(read.reason.utf8.elementsEqual(made.claims.reason.utf8))
            #expect(read.issuer == made.claims.issuer && read.subject == made.claims.subject)
            #expect(read.audience == made.claims.audience && read.issuedAt == made.claims.issuedAt)
            #expect(read.level == made.claims.level && read.authenticatorType == made.claims.authenticatorType)
            #expect(read.methods == made.claims.methods && read.authTime == made.claims.authTime)
            #expect(read.id == made.claims.id && read.device == made.claims.device)
            #expect(read.ceremony == made.claims.ceremony)
            for name in ClaimName.allCases {
                #expect((read.reserved[name] ?? "").utf8.elementsEqual((made.claims.reserved[name] ?? "").utf8))
            }
            #expect(try StatementText.sign(read, with: signer) == text)
            let unverified = try UnverifiedStatement(text.span)
            #expect(unverified.keyID == key.keyID && unverified.algorithm == .edDSA)
        }
    }

    @Test("The longest payload, reason and names that a person can sign fit, with the longest key's signature")
    func longest() throws {
        // 500 characters of payload and 100 of reason (W2), each a quotation mark under as many marks as fit.
        let character = { (bytes: Int) in "\"" + String(repeating: "\u{301}", count: (bytes - 1) / 2) }
        let payload = String(repeating: character(8), count: 500)
        let reason = String(repeating: character(10), count: 100)
        #expect(payload.count == 500 && payload.utf8.count <= 4096 && reason.count == 100 && reason.utf8.count <= 1024)
        let made = try LegalClaims(
            level: .four, optional: [.audience, .device, .request, .quorum], methods: AuthenticationMethod.allCases
        ) { name, limit in
            switch name {
            case .payload: payload
            case .reason: reason
            case .subject: String(repeating: "a", count: limit)
            case .quorum: "16/9999"
            default: String(repeating: "\"", count: limit)
            }
        }
        let key = try PrivateKey(generating: .rs256, rsaBits: 4096)
        #expect(try StatementText.sign(made.claims, with: StatementSigner(key)).count <= StatementText.maxBytes)
    }

    private static let wrong: [Row<@Sendable (inout Parameters) -> Void>] = [
        Row("issuer", { $0.issuer = "a b" }, "claim-iss"), Row("no issuer", { $0.issuer = "" }, "claim-iss"),
        Row("audience", { $0.audience = "" }, "claim-aud"), Row("time", { $0.issuedAt = -1 }, "claim-iat"),
        Row("late", { $0.issuedAt = 1 << 53 }, "claim-iat"), Row("payload", { $0.payload = "" }, "claim-payload"),
        Row("payload NUL", { $0.payload = "\u{0}" }, "claim-payload"),
        Row("reason", { $0.reason = "a\nb" }, "claim-reason"),
        Row("auth_time", { $0.authTime = -1 }, "claim-auth_time"),
        Row("later", { $0.authTime = 101 }, "claim-auth_time"),
        Row("no auth_time", { $0.authTime = nil }, "claim-set"), Row("no methods", { $0.methods = [] }, "claim-set"),
        Row("twice", { $0.methods = [.pwd, .pwd] }, "claim-amr"), Row("idv", { $0.methods = [.idv] }, "claim-amr"),
        Row("level 0", { $0.level = .none }, "claim-amr"), Row("level 4", { $0.level = .four }, "level-and-type"),
        Row("type 1", { $0.type = .idvServerBiometric }, "level-and-type"), Row("none", { _ in }, "none"),
    ]

    struct Parameters {
        var issuer = "urn:example"
        var audience: String?
        var issuedAt: Int64 = 100
        var payload = "a"
        var reason = "b"
        var level = AuthLevel.one
        var type = AuthenticatorType.none
        var methods: [AuthenticationMethod] = [.pwd]
        var authTime: Int64? = 100
    }

    @Test("Claims that a verifier would refuse cannot be made", arguments: wrong)
    func illegal(row: Row<@Sendable (inout Parameters) -> Void>) throws {
        var given = Parameters()
        row.input(&given)
        let user = try #require(UserName("alice"))
        let id = try #require(UUIDText("0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a11"))
        do throws(InvalidReason) {
            _ = try Claims(
                issuer: given.issuer, subject: user, audience: given.audience, issuedAt: given.issuedAt, id: id,
                payload: given.payload, reason: given.reason, level: given.level, authenticatorType: given.type,
                methods: given.methods, authTime: given.authTime, device: nil, ceremony: id)
            #expect(row.code == "none")
        } catch { #expect(error.code == row.code) }
    }
}
