import CountersignKeys
import CountersignVerifier
import Testing

@Suite("The policy")
struct PolicyTests {
    private static func code(_ draft: Draft, at time: Int64 = Judge.now, _ change: (inout Policy) -> Void = { _ in })
        throws -> String
    {
        var policy = Policy()
        change(&policy)
        return try Judge.code(draft, policy: policy, at: time)
    }

    private static let defaults: [Row<Draft>] = [
        Row("level 1", .example, "valid"), Row("level 4", .level(4), "valid"),
        Row("level 0", .level(0), "level-too-low"),
        Row("an audience", Draft.example.with("aud", #""https://bank.example""#), "audience-not-expected"),
        Row("a test of identity", Draft.level(4).with("amr", #"["idv-test"]"#), "test-idv"),
        Row("idv and a test of it", Draft.level(4).with("amr", #"["idv","idv-test"]"#), "test-idv"),
        Row("60 seconds ahead", Draft.example.with("iat", "\(Judge.now + 60)"), "valid"),
        Row("61 seconds ahead", Draft.example.with("iat", "\(Judge.now + 61)"), "issued-in-future"),
        Row("the end of time", Draft.example.with("iat", "9007199254740991"), "issued-in-future"),
        Row("1970", Draft.example.with("iat", "0").with("auth_time", "0"), "valid"),
    ]

    @Test("Without settings the policy is the strictest", arguments: defaults)
    func strictest(row: Row<Draft>) throws {
        #expect(try Self.code(row.input) == row.code)
    }

    @Test("The lowest level", arguments: [0, 1, 4], AuthLevel.allCases)
    func level(level: Int, wanted: AuthLevel) throws {
        #expect(
            try Self.code(.level(level)) { $0.level = MinimumLevel(wanted) }
                == (level >= wanted.rawValue ? "valid" : "level-too-low"))
    }

    @Test("Clocks at their ends do not trap", arguments: [Int64.min, -1, 0, .max])
    func clocks(now: Int64) throws {
        for seconds in [Int64.min, -1, 0, 60, .max] {
            let future = FutureLimit(seconds: seconds)
            let age = MaximumAge(seconds: seconds)
            let code = try Self.code(.example, at: now) {
                $0.future = future
                $0.rules = [age]
            }
            // now = 0 and before: the statement is ahead of any clock, unless everything is allowed.
            let isAhead = now < Judge.now && !(seconds == .max && now >= 0) && !(seconds == .max && now == -1)
            #expect(
                code == (isAhead ? "issued-in-future" : now == .max && seconds != .max ? "too-old" : "valid"),
                "\(seconds)")
        }
    }

    private static let audience = Draft.example.with("aud", #""https://bank.example""#)
    private static let audiences: [(Draft, AudienceRule, String)] = [
        (.example, .none, "valid"), (.example, .any, "valid"), (.example, .exactly("x"), "audience-missing"),
        (audience, .none, "audience-not-expected"), (audience, .any, "valid"),
        (audience, .exactly("https://bank.example"), "valid"),
        (audience, .exactly("https://bank.example/"), "audience-differs"),
        (audience, .exactly("https://Bank.example"), "audience-differs"),
        (audience, .exactly(""), "audience-differs"),
        (audience, .exactly("https://ban\u{212A}.example"), "audience-differs"),
        (Draft.example.with("aud", #""K""#), .exactly("\u{212A}"), "audience-differs"),
    ]

    @Test("RFC 8725 section 3.9: the audience, byte for byte", arguments: audiences.indices)
    func audience(place: Int) throws {
        let (draft, rule, code) = Self.audiences[place]
        #expect(try Self.code(draft) { $0.audience = rule } == code)
    }

    private static let digest = [UInt8](repeating: 0xAB, count: 32)
    private static let file = Draft.example.with(
        "payload", quoted("sha256:" + String(repeating: "ab", count: 32) + " a b.pdf"))
    private static let issuer = "urn:uuid:7e0f6d2e-98a8-4a3f-a6e2-0b1f5c1d2e3f"

    private static let rules: [(Draft, any PolicyRule, String)] = [
        (.example, ExpectedIssuer(issuer), "valid"), (.example, ExpectedIssuer(issuer.uppercased()), "issuer-differs"),
        (.example, ExpectedIssuer(""), "issuer-differs"),
        (Draft.example.with("iss", #""K""#), ExpectedIssuer("\u{212A}"), "issuer-differs"),
        (.example, AllowedAlgorithms([.es256]), "valid"),
        (.example, AllowedAlgorithms([.edDSA, .es384]), "algorithm-not-allowed"),
        (.example, AllowedAlgorithms([]), "algorithm-not-allowed"),
        (.example, AllowedAlgorithms(Set(KeyAlgorithm.allCases)), "valid"),
        (.example, RequiredMethods([]), "valid"), (.example, RequiredMethods([.pwd]), "valid"),
        (.example, RequiredMethods([.pwd, .mfa]), "method-missing"), (.level(4), RequiredMethods([.idv]), "valid"),
        (.level(4), RequiredMethods([.idvTest]), "method-missing"),
        (.example, ExpectedReason("Invoice 17"), "valid"), (.example, ExpectedReason("Invoice 17 "), "reason-differs"),
        (.example, ExpectedReason(""), "reason-differs"),
        (Draft.example.with("reason", "\"\u{E9}\""), ExpectedReason("\u{E9}"), "valid"),
        (Draft.example.with("reason", "\"\u{E9}\""), ExpectedReason("e\u{301}"), "reason-differs"),
        (.example, ExpectedPayload(Array("Pay 5.00 EUR to Bob".utf8)), "valid"),
        (.example, ExpectedPayload([]), "payload-differs"),
        (.example, ExpectedPayload(Array("Pay 5.00 EUR to Bob\n".utf8)), "payload-differs"),
        (.example, ExpectedPayload([0xFF]), "payload-differs"),
        (Draft.example.with("payload", "\"e\u{301}\""), ExpectedPayload(Array("\u{E9}".utf8)), "payload-differs"),
        (Draft.example.with("payload", "\"\u{FEFF}a\""), ExpectedPayload(Array("a".utf8)), "payload-differs"),
        (Draft.example.with("payload", "\"\u{FEFF}a\""), ExpectedPayload([0xEF, 0xBB, 0xBF, 0x61]), "valid"),
        (file, ExpectedFile(sha256: digest), "valid"), (file, ExpectedFile(sha256: []), "file-differs"),
        (file, ExpectedFile(sha256: Array(digest.dropLast())), "file-differs"),
        (file, ExpectedFile(sha256: digest + [0]), "file-differs"),
        (.example, ExpectedFile(sha256: digest), "file-differs"), (.example, ExpectedFile(sha256: []), "file-differs"),
        (.example, MaximumAge(seconds: 0), "valid"), (.example, MaximumAge(seconds: -5), "valid"),
        (Draft.example.with("iat", "\(Judge.now - 10)").with("auth_time", "0"), MaximumAge(seconds: 10), "valid"),
        (Draft.example.with("iat", "\(Judge.now - 10)").with("auth_time", "0"), MaximumAge(seconds: 9), "too-old"),
        (Draft.example.with("iat", "\(Judge.now + 60)"), MaximumAge(seconds: 0), "valid"),
        (.example, MinimumLevel(.four), "level-too-low"),
        (audience, AudienceRule.exactly("x"), "audience-not-expected"),
    ]

    @Test("Each rule alone", arguments: rules.indices)
    func rule(place: Int) throws {
        let (draft, rule, code) = Self.rules[place]
        #expect(try Self.code(draft) { $0.rules = [rule] } == code)
        #expect(try Self.code(draft) { $0.rules = [rule, rule] } == code)
    }

    @Test(
        "The line that stands for a document has one form",
        arguments: [
            ("sha256:" + String(repeating: "ab", count: 32) + " x", true),
            ("sha256:" + String(repeating: "ab", count: 32) + "  ", true),
            ("sha256:" + String(repeating: "ab", count: 32) + " \u{1F4C4}.pdf", true),
            ("sha256:" + String(repeating: "AB", count: 32) + " x", false),
            ("sha256:" + String(repeating: "ab", count: 32), false),
            ("sha256:" + String(repeating: "ab", count: 32) + " ", false),
            ("sha256:" + String(repeating: "ab", count: 31) + "  x", false),
            ("sha256:" + String(repeating: "ab", count: 33) + " x", false),
            ("SHA256:" + String(repeating: "ab", count: 32) + " x", false),
            (" sha256:" + String(repeating: "ab", count: 32) + " x", false),
            ("sha256:" + String(repeating: "ab", count: 32) + "\tx", false),
            ("sha256:" + String(repeating: "ab", count: 32) + " x\ny", false),
            ("sha256:" + String(repeating: "ag", count: 32) + " x", false),
            ("sha512:" + String(repeating: "ab", count: 32) + " x", false),
            ("sha256:" + String(repeating: "\u{FF41}b", count: 16) + " x", false), ("", false),
        ])
    func digestLine(line: String, isOne: Bool) {
        let read = FileDigest(line: line)
        #expect((read != nil) == isOne)
        if let read { #expect(read.line.utf8.elementsEqual(line.utf8)) }
        for name in ["", "a\nb", "\n"] { #expect(FileDigest(sha256: Self.digest, name: name) == nil) }
        #expect(FileDigest(sha256: Array(Self.digest.dropLast()), name: "a") == nil)
    }

    @Test("When several rules fail, the first of docs/statement.md decides, in whatever order they were given")
    func order() throws {
        let later: [(any PolicyRule, String)] = [
            (ExpectedIssuer("x"), "issuer-differs"), (AllowedAlgorithms([]), "algorithm-not-allowed"),
            (RequiredMethods([.hwk]), "method-missing"), (ExpectedReason("x"), "reason-differs"),
            (ExpectedPayload([]), "payload-differs"),
            (ExpectedFile(sha256: Self.digest), "file-differs"), (MaximumAge(seconds: 0), "too-old"),
            (Foreign(), "claim-set"),
        ]
        let old = Draft.example.with("iat", "\(Judge.now - 1)").with("auth_time", "0")
        for first in later.indices {
            let rules = later[first...].map(\.0)
            #expect(try Self.code(old) { $0.rules = rules } == later[first].1)
            #expect(try Self.code(old) { $0.rules = rules.reversed() } == later[first].1)
        }
        let all =
            later.map(\.0) + [
                AudienceRule.exactly("x"), TestIDVRule.refused, FutureLimit(seconds: 0), MinimumLevel(.four),
            ]
        let ahead = Draft.level(1).with("iat", "\(Judge.now + 1)")
        for rules in [all, all.reversed()] { #expect(try Self.code(ahead) { $0.rules = rules } == "level-too-low") }
        let open = all.filter { !($0 is MinimumLevel) }
        for rules in [open, open.reversed()] {
            #expect(try Self.code(ahead) { $0.rules = rules } == "issued-in-future")
        }
        #expect(try Self.code(.example) { $0.rules = open.reversed() } == "audience-missing")
    }

    @Test("The strict four come first, in their order")
    func strictOrder() throws {
        var draft = Draft.level(0).with("iat", "\(Judge.now + 100)").with("aud", #""x""#)
        #expect(try Self.code(draft) == "level-too-low")
        draft = Draft.level(4).with("amr", #"["idv-test"]"#).with("iat", "\(Judge.now + 100)").with("aud", #""x""#)
        #expect(try Self.code(draft) == "issued-in-future")
        #expect(try Self.code(draft, at: Judge.now + 40) == "test-idv")
        #expect(try Self.code(draft, at: Judge.now + 40) { $0.testIDV = .allowed } == "audience-not-expected")
        #expect(try Self.code(draft, at: Judge.now + 40) { ($0.testIDV, $0.audience) = (.allowed, .any) } == "valid")
    }

    private struct Foreign: PolicyRule {
        func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason? { .claimSet }
    }

    @Test("The keys of a history are its issuer's alone: whoever has them signs for nobody else")
    func issuerOfHistory() throws {
        var history = try HistoryDraft.example()
        #expect(try history.code(.example) == "valid")
        for other in [#""https://sign.example""#, #""URN:uuid:7e0f6d2e-98a8-4a3f-a6e2-0b1f5c1d2e3f""#] {
            #expect(try history.code(Draft.example.with("iss", other)) == "issuer-differs")
            history.issuer = other
            #expect(try history.code(.example) == "issuer-differs")
            #expect(try history.code(Draft.example.with("iss", other)) == "valid")
            history = try .example()
        }
    }

    @Test("The policy comes after the signature and the state of the key")
    func last() throws {
        let draft = Draft.level(0).with("iat", "50")
        let history = try HistoryDraft([HistoryDraft.element(Keys.trusted(.es256), from: 100)])
        let trust = try TrustStore(history.text(), root: Keys.root().keyID)
        #expect(StatementVerifier(trust: trust).verify(try draft.text(), at: 60).code == "key-not-yet-active")
        #expect(
            StatementVerifier(trust: trust).verify(try draft.with("iat", "100").text(), at: 100).code == "level-too-low"
        )
        let forged = draft.with(
            header: #"{"alg":"ALG","kid":"\#(try Keys.trusted(.es256).keyID)","typ":"countersign+jwt"}"#)
        #expect(
            StatementVerifier(trust: trust).verify(try forged.text(Keys.stranger(.es256)), at: 60).code == "signature")
    }
}
