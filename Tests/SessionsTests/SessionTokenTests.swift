import CountersignKeys
import CountersignVerifier
import Sessions
import Testing

@Suite("Tokens")
struct SessionTokenTests {
    @Test("A token is a prefix and 32 random bytes, and reads as itself", arguments: SessionToken.Kind.allCases)
    func form(kind: SessionToken.Kind) throws {
        let token = try SessionToken.generate(kind)
        #expect(token.text.wholeMatch(of: /cs[arco]_[A-Za-z0-9_-]{43}/) != nil)
        #expect(token.text.hasPrefix(kind.rawValue))
        #expect(SessionToken(token.text, kind)?.text == token.text)
        for other in SessionToken.Kind.allCases where other != kind {
            #expect(SessionToken(token.text, other) == nil)
        }
    }

    @Test("K7: tokens do not repeat")
    func randomness() throws {
        let tokens = try (0..<1_000).map { _ in try SessionToken.generate(.access).text }
        #expect(Set(tokens).count == tokens.count)
    }

    @Test(
        "A token has one spelling",
        arguments: [
            "", "csa_", "CSA_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            // Too short, too long, padded, with spare bits, of another alphabet, with something around it.
            "csa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "csa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "csa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "csa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB",
            "csa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+A", "csa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/A",
            "csa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n", " csa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "csa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\u{E9}",
            "csa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\u{0}AA",
            "csa.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", String(repeating: "A", count: 1 << 20),
        ])
    func strictness(text: String) {
        #expect(SessionToken(text, .access) == nil)
        #expect(SessionToken("csa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", .access) != nil)
    }

    @Test("What is stored is the SHA-256 of the text")
    func hash() throws {
        let text = "csa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        let token = try #require(SessionToken(text, .access))
        #expect(Hex.text(of: token.hash) == "7f9b6a84f05e8baf4c69ae8304b1d945eacf9ce33c059870aa21eff932e47362")
    }

    @Test("K4, L1: a token does not show itself")
    func secrecy() throws {
        let token = try SessionToken.generate(.refresh)
        var shown = "\(token) \(String(reflecting: token)) \([token])"
        dump(token, to: &shown)
        #expect(!shown.contains(token.text.dropFirst(4)))
    }

    @Test("RFC 6749 section 5.1: a session with a key has a DPoP token, one without a bearer token")
    func grant() throws {
        let id = try #require(UUIDText(try SecureRandom.uuid()))
        for thumbprint in ["0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I", nil] {
            let session = Session(
                id: id, owner: .operator, device: nil, thumbprint: thumbprint, authTime: 1, createdAt: 1, lastUsedAt: 1,
                expiresAt: 2, accessExpiresAt: 2)
            let grant = SessionGrant(
                session: session, accessToken: try SessionToken.generate(.access), refreshToken: nil, expiresIn: 300)
            #expect(grant.tokenType.rawValue == (thumbprint == nil ? "Bearer" : "DPoP"))
        }
    }
}
