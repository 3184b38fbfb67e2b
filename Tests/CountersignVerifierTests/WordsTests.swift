import CountersignVerifier
import Testing

@Suite("The words of a statement")
struct WordsTests {
    @Test(
        "Attack S11: user names have one spelling",
        arguments: ["a", "0", "alice", "a.b_c@d-e", "0-", "a@example.org", String(repeating: "a", count: 64)])
    func userName(text: String) {
        #expect(UserName(text)?.text == text)
    }

    @Test(
        "Attack S11: what is not a user name is refused, never folded or trimmed",
        arguments: [
            "", "Alice", "alice ", " alice", "-a", ".a", "_a", "@a", "a b", "a/b", "a\n", "a\u{0}", "\u{E9}",
            "e\u{301}",
            "\u{FF41}lice", "\u{430}lice", "a\u{200B}", "a+b", "\u{212A}", String(repeating: "a", count: 65),
        ])
    func notUserName(text: String) {
        #expect(UserName(text) == nil)
    }

    @Test("User names compare by bytes")
    func userNameOrder() throws {
        let names = try ["b", "a", "a-b", "a.b", "0", "a_"].map { try #require(UserName($0)) }
        #expect(names.sorted().map(\.text) == ["0", "a", "a-b", "a.b", "a_", "b"])
    }

    @Test(
        "UUIDs of version 4 in lower case",
        arguments: [
            ("0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a11", true), ("ffffffff-ffff-4fff-8fff-ffffffffffff", true),
            ("00000000-0000-4000-a000-000000000000", true), ("00000000-0000-4000-b000-000000000000", true),
            ("0B8E7A8C-5E7D-4C53-9D0E-0E6B1F7F2A11", false), ("00000000-0000-0000-0000-000000000000", false),
            ("0b8e7a8c-5e7d-1c53-9d0e-0e6b1f7f2a11", false), ("0b8e7a8c-5e7d-4c53-7d0e-0e6b1f7f2a11", false),
            ("0b8e7a8c-5e7d-4c53-cd0e-0e6b1f7f2a11", false), ("0b8e7a8c5e7d4c539d0e0e6b1f7f2a11", false),
            ("{0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a1}", false), ("0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a1", false),
            ("0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a111", false), ("0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a1\u{E9}", false),
            ("0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2ag1", false), ("", false),
        ])
    func uuid(text: String, isOne: Bool) {
        #expect((UUIDText(text) != nil) == isOne)
    }

    @Test("Levels and their acr, both ways")
    func levels() {
        for level in AuthLevel.allCases {
            #expect(level.acr == "urn:countersign:level:\(level.rawValue)")
            #expect(AuthLevel(acr: level.acr) == level)
        }
        for acr in ["", "urn:countersign:level:2", "urn:countersign:level:01", "URN:countersign:level:1", "1"] {
            #expect(AuthLevel(acr: acr) == nil)
        }
        #expect(AuthLevel.none < .one && AuthLevel.one < .four)
    }

    @Test("RFC 8176 and our own two")
    func methods() {
        #expect(
            AuthenticationMethod.allCases.map(\.rawValue)
                == ["pwd", "pin", "fpt", "face", "hwk", "swk", "user", "mfa", "idv", "idv-test"])
    }
}
