import CountersignJOSE
import CountersignKeys
import Sessions
import Signing
import Testing

/// An assertion in the making: right as it is, and to be spoilt by the test.
struct AssertionDraft {
    static let audience = "https://sign.example.org"

    var header = JSONObject()
    var claims = JSONObject()
    var key: PrivateKey

    init(key: PrivateKey) {
        self.key = key
        header["alg"] = .string(key.algorithm.rawValue)
        let second = ProofDraft.now / 1_000
        for (name, value) in [("iss", "payroll"), ("sub", "payroll"), ("aud", Self.audience), ("jti", "j-1")] {
            claims[name] = .string(value)
        }
        claims["exp"] = .number(JSONNumber(second + 60))
        claims["iat"] = .number(JSONNumber(second))
    }

    func text() throws(KeyError) -> [UInt8] {
        try CompactJWS.sign(
            JSON.object(claims).canonical(), header: JSON.object(header).canonical(), with: key.makeSigner())
    }
}

/// One way to change an assertion.
struct ChangedAssertion: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout AssertionDraft) throws -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout AssertionDraft) throws -> Void) {
        testDescription = name
        self.change = change
    }

    static func claim(_ name: String, _ value: JSON?) -> ChangedAssertion {
        ChangedAssertion("\(name): \(value.map { String(decoding: $0.canonical(), as: UTF8.self) } ?? "missing")") {
            $0.claims[name] = value
        }
    }

    static func time(_ name: String, _ offset: Int64) -> ChangedAssertion {
        claim(name, .number(JSONNumber(ProofDraft.now / 1_000 + offset)))
    }

    static func header(_ name: String, _ value: JSON?) -> ChangedAssertion {
        ChangedAssertion(
            "header \(name): \(value.map { String(decoding: $0.canonical(), as: UTF8.self) } ?? "missing")"
        ) {
            $0.header[name] = value
        }
    }
}

@Suite("Assertions of clients")
struct ClientAssertionTests {
    private static let absent: [ChangedAssertion] =
        ["iss", "sub", "aud", "exp", "iat", "jti"].map { .claim($0, nil) }
        + ["iss", "sub", "aud", "exp", "iat", "jti", "nbf"].map { .claim($0, .null) }

    private static let claims: [ChangedAssertion] = [
        .claim("iss", .string("other")), .claim("sub", .string("other")), .claim("sub", .string("Payroll")),
        .claim("jti", .string("")), .claim("jti", .number(JSONNumber(1))),
        .claim("jti", .string(String(repeating: "j", count: 129))),
        .claim("aud", .string("https://evil.example")), .claim("aud", .string(AssertionDraft.audience + "/")),
        .claim("aud", .array([])),
        .claim("aud", .array([.string(AssertionDraft.audience), .string("https://evil.example")])),
        .claim("aud", .array([.array([.string(AssertionDraft.audience)])])),
        .claim("scope", .string("all")),
    ]

    private static let times: [ChangedAssertion] = [
        .time("exp", 0), .time("exp", -1), .time("exp", 301), .claim("exp", .string("1767225660")),
        .claim("exp", .number(JSONNumber(Int64.max))), .claim("exp", .number(JSONNumber(Int64.min))),
        .time("iat", 61), .claim("iat", .number(JSONNumber(Int64.max))),
        .time("nbf", 61), .claim("nbf", .number(JSONNumber(Int64.max))),
    ]

    private static let headers: [ChangedAssertion] = [
        .header("typ", .string("dpop+jwt")), .header("typ", .string("jwt")), .header("typ", .null),
        .header("alg", .string("none")), .header("alg", .string("HS256")), .header("alg", .string("EdDSA")),
        .header("alg", nil), .header("crit", .array([])), .header("jku", .string("https://evil.example")),
        .header("cty", .string("JWT")), .header("kid", .string("")),
        ChangedAssertion("a jwk of its own") {
            $0.key = try TestKeys.other.get()
            $0.header["jwk"] = ProofDraft.jwk($0.key.publicKey)
        },
        ChangedAssertion("another key") { $0.key = try TestKeys.other.get() },
    ]

    private func parse(_ text: [UInt8], key: PublicKey, at now: Int64 = ProofDraft.now) throws -> ClientAssertion {
        try ClientAssertion.parse(
            text, key: key, audience: AssertionDraft.audience, AssertionDraft.audience + "/v1/token", client: "payroll",
            at: now)
    }

    @Test("RFC 7523 section 3: our own assertions are accepted, with every algorithm")
    func roundTrip() throws {
        for keys in [TestKeys.device, TestKeys.edwards, TestKeys.p384, TestKeys.rsa] {
            let key = try keys.get()
            let text = try ClientAssertion.sign(
                client: "payroll", audience: AssertionDraft.audience, at: ProofDraft.now, with: key)
            let assertion = try parse(Array(text.utf8), key: key.publicKey)
            #expect(assertion.client == "payroll")
            #expect(assertion.thumbprint == Thumbprint.sha256(of: key.publicKey))
            #expect(assertion.expiresAt == ProofDraft.now / 1_000 + 60)
            #expect(ClientAssertion.claimedClient(Array(text.utf8))?.text == "payroll")
        }
    }

    @Test(
        "RFC 7523 section 3: what other libraries write too",
        arguments: [
            .header("typ", .string("JWT")), .header("typ", .string("client-authentication+jwt")),
            .header("kid", .string("mine")), .claim("aud", .string(AssertionDraft.audience + "/v1/token")),
            .claim("aud", .array([.string(AssertionDraft.audience)])), .time("nbf", 0), .time("nbf", 60),
            .time("iat", 60 - 1),
            .time("exp", 1), .time("exp", 300), .claim("jti", .string(String(repeating: "j", count: 128))),
        ] as [ChangedAssertion])
    func accepted(row: ChangedAssertion) throws {
        let key = try TestKeys.device.get()
        var draft = AssertionDraft(key: key)
        try row.change(&draft)
        #expect(throws: Never.self) { try parse(draft.text(), key: key.publicKey) }
    }

    @Test(
        "RFC 7523 section 3: what is refused",
        arguments: Self.absent + Self.claims + Self.times + Self.headers)
    func refused(row: ChangedAssertion) throws {
        let key = try TestKeys.device.get()
        var draft = AssertionDraft(key: key)
        try row.change(&draft)
        #expect(throws: Refusal(.clientInvalid)) { try parse(draft.text(), key: key.publicKey) }
    }

    @Test("RFC 7521 section 4.2: another client's assertion, or one after its end")
    func otherClient() throws {
        let key = try TestKeys.device.get()
        let text = try AssertionDraft(key: key).text()
        #expect(throws: Refusal(.clientInvalid)) {
            try ClientAssertion.parse(
                text, key: key.publicKey, audience: AssertionDraft.audience, client: "other", at: ProofDraft.now)
        }
        #expect(throws: Refusal(.clientInvalid)) { try parse(text, key: key.publicKey, at: ProofDraft.now + 60_000) }
        for time in [Int64.min, 0, .max] {
            #expect(throws: Refusal(.clientInvalid)) { try parse(text, key: key.publicKey, at: time) }
        }
    }

    @Test(
        "What is no assertion names nobody and is refused",
        arguments: [
            "", "..", "a.b.c", "e30.e30.e30", "eyJhbGciOiJub25lIn0.eyJzdWIiOjF9.e30",
            String(repeating: "a", count: 1 << 20),
        ])
    func noAssertion(text: String) throws {
        let key = try TestKeys.device.get()
        #expect(ClientAssertion.claimedClient(Array(text.utf8)) == nil)
        #expect(throws: Refusal(.clientInvalid)) { try parse(Array(text.utf8), key: key.publicKey) }
    }

    @Test("V21: no mutated assertion is accepted")
    func mutations() throws {
        let key = try TestKeys.edwards.get()
        let good = try AssertionDraft(key: key).text()
        for index in good.indices {
            var mutant = good
            mutant[index] = mutant[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: Refusal(.clientInvalid)) { try parse(mutant, key: key.publicKey) }
        }
    }

    @Test("Attack V17: neither a proof nor an assertion is taken for the other")
    func confusion() throws {
        let key = try TestKeys.device.get()
        let assertion = try AssertionDraft(key: key).text()
        #expect(ProofDraft.refusal(assertion)?.code == .proofInvalid)
        let proof = try ProofDraft(key: key).text()
        #expect(throws: Refusal(.clientInvalid)) { try parse(proof, key: key.publicKey) }
    }
}
