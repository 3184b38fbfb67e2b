import CountersignKeys
import CountersignVerifier
import Testing

@Suite("The state of a key, from its history")
struct KeyStateTests {
    @Test("A statement by the root key, whatever else it says")
    func rootStatement() throws {
        #expect(try HistoryDraft.example().code(.example, Keys.root()) == "root-key")
        let draft = Draft.example.with(header: #"{"alg":"ES256","kid":"KID","typ":"countersign+jwt"}"#)
        #expect(try HistoryDraft.example().code(draft, Keys.root()) == "root-key")
    }

    @Test(
        "From exp on nothing is valid, and a wrong signature stays invalid",
        arguments: [(-1, "valid"), (0, "history-expired"), (1 << 40, "history-expired")])
    func expired(seconds: Int64, code: String) throws {
        let history = try HistoryDraft.example()
        #expect(try history.code(.example, at: 1_800_000_000 + seconds) == code)
        #expect(try history.code(.example, Keys.stranger(.es256), at: 1_800_000_000 + seconds) == "unknown-key")
        let wrong = Draft.example.with(
            header: #"{"alg":"ALG","kid":"\#(try Keys.trusted(.es256).keyID)","typ":"countersign+jwt"}"#)
        #expect(try history.code(wrong, Keys.stranger(.es256), at: 1_800_000_000 + seconds) == "signature")
    }

    @Test(
        "V19: the state of the key x when the statement says it was signed",
        arguments: [
            ("active", "", ["key-not-yet-active", "valid", "valid", "valid", "valid", "valid", "valid"]),
            (
                "retired", #","exp":200"#,
                ["key-not-yet-active", "valid", "valid", "valid", "key-retired", "key-retired", "key-retired"]
            ),
            (
                "superseded at once", #","exp":200,"revoked":{"at":200,"reason":"superseded"}"#,
                ["key-not-yet-active", "valid", "valid", "valid", "key-superseded", "key-superseded", "key-superseded"]
            ),
            (
                "retired, then superseded", #","exp":200,"revoked":{"at":300,"reason":"superseded"}"#,
                ["key-not-yet-active", "valid", "valid", "valid", "key-retired", "key-retired", "key-superseded"]
            ),
            (
                "compromised", #","exp":200,"revoked":{"at":200,"reason":"compromised"}"#,
                [String](repeating: "key-compromised", count: 7)
            ),
        ])
    func states(name: String, rest: String, codes: [String]) throws {
        let history = try HistoryDraft([HistoryDraft.element(Keys.trusted(.es256), from: 100, rest)])
        for (iat, code) in zip([99, 100, 150, 200, 201, 300, 301], codes) {
            let draft = Draft.example.with("iat", "\(iat)").with("auth_time", "\(iat)")
            #expect(try history.code(draft, at: 1000) == code, "\(iat)")
        }
    }
}
