import CountersignClient
import Outbound
import Signing
import Synchronization
import Testing
import Wire

@Suite("Sessions of a profile")
struct SessionTests {
    /// A profile that is logged in.
    private func loggedIn(_ fake: FakeService, _ profiles: TemporaryProfiles) async throws -> (
        Account, ScriptedExchange
    ) {
        let exchange = ScriptedExchange { request, _ in fake.answer(request) }
        let account = try profiles.account(exchange)
        try await account.logIn(user: "alice", password: Secret("password"))
        return (account, exchange)
    }

    @Test("RFC 9449 section 8: a nonce is taken over once, kept for all, and used by the next process")
    func nonces() async throws {
        let (fake, profiles) = (FakeService(), try TemporaryProfiles())
        let (account, exchange) = try await loggedIn(fake, profiles)
        #expect(exchange.requests.count == 2)
        _ = try await account.sessions()
        #expect(exchange.requests.count == 3)
        let next = ScriptedExchange { request, _ in fake.answer(request) }
        _ = try await profiles.account(next).sessions()
        #expect(next.requests.count == 1)
        fake.state.withLock { $0.nonce = "n-2" }
        _ = try await account.sessions()
        #expect(exchange.requests.count == 5)
        #expect(try profiles.text("profiles/test/tokens.json").contains(#""nonce":"n-2""#))
        #expect(fake.state.withLock { $0.faults }.isEmpty)
    }

    @Test("A server that never is content with its nonce is not asked for ever")
    func nonceLoop() async throws {
        let profiles = try TemporaryProfiles()
        let exchange = ScriptedExchange { _, index in .nonceNeeded("n-\(index)") }
        let account = try profiles.account(exchange)
        await #expect(throws: ServiceError.self) { try await account.logIn(user: "a", password: Secret("p")) }
        #expect(exchange.requests.count == 2)
        let silent = ScriptedExchange { _, _ in .refused(Refusal(.nonceNeeded)) }
        let other = try profiles.account(silent, name: "other")
        await #expect(throws: ServiceError.self) { try await other.logIn(user: "a", password: Secret("p")) }
        #expect(silent.requests.count == 1)
    }

    @Test("A token that ends is refreshed before it is used, one that was ended after; then the session is over")
    func refresh() async throws {
        let (fake, profiles) = (FakeService(), try TemporaryProfiles())
        let (account, exchange) = try await loggedIn(fake, profiles)
        exchange.advance(milliseconds: 299_000)
        _ = try await account.sessions()
        #expect(exchange.requests.map(\.path).suffix(2) == ["/v1/token", "/v1/sessions"])
        // The server forgets the token: 401, a refresh, and the same call again.
        fake.state.withLock { $0.access += 1 }
        let before = exchange.requests.count
        #expect(await failure { _ = try await account.sessions() }?.needsLogIn == true)
        #expect(exchange.requests.count == before + 2)
        // What is over is not tried again, by nobody.
        let next = ScriptedExchange { request, _ in fake.answer(request) }
        await #expect(throws: ServiceError.self) { try await profiles.account(next).sessions() }
        #expect(next.requests.isEmpty)
        #expect(try !profiles.text("profiles/test/tokens.json").contains("csr_"))
    }

    @Test("Without a log-in, nothing is sent")
    func loggedOut() async throws {
        let profiles = try TemporaryProfiles()
        let exchange = ScriptedExchange([])
        #expect(await failure { _ = try await profiles.account(exchange).sessions() }?.needsLogIn == true)
        #expect(exchange.requests.isEmpty)
    }

    @Test(
        "RFC 9700 section 4.14: eight clients that refresh at once refresh once, and the session goes on",
        arguments: 0..<5)
    func race(round: Int) async throws {
        let (fake, profiles) = (FakeService(), try TemporaryProfiles())
        let (_, exchange) = try await loggedIn(fake, profiles)
        exchange.advance(milliseconds: 400_000)
        let now = exchange.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                let own = ScriptedExchange { request, _ in
                    await Task.yield()
                    return fake.answer(request)
                }
                own.advance(milliseconds: now - own.now)
                let account = try profiles.account(own)
                group.addTask { _ = try await account.sessions() }
            }
            try await group.waitForAll()
        }
        #expect(fake.state.withLock { $0.refreshes } == 1)
        #expect(fake.state.withLock { !$0.isEnded && $0.faults.isEmpty })
    }

    @Test("attack A9: a refresh whose answer was lost, with the process, is gone on with by the next one")
    func lostRefresh() async throws {
        let (fake, profiles) = (FakeService(), try TemporaryProfiles())
        let (_, exchange) = try await loggedIn(fake, profiles)
        let now = exchange.now + 400_000
        let dying = ScriptedExchange { request, _ in
            // It arrives; the answer does not.
            _ = fake.answer(request)
            return .lost
        }
        dying.advance(milliseconds: now - dying.now)
        await #expect(throws: ServiceError.self) { try await profiles.account(dying).sessions() }
        #expect(fake.state.withLock { $0.refreshes } == 1)
        let next = ScriptedExchange { request, _ in fake.answer(request) }
        next.advance(milliseconds: now - next.now + 1000)
        _ = try await profiles.account(next).sessions()
        #expect(fake.state.withLock { $0.refreshes == 1 && !$0.isEnded })
    }

    @Test("Logging out forgets the tokens, whatever the service says of the session")
    func logOut() async throws {
        let (fake, profiles) = (FakeService(), try TemporaryProfiles())
        let (account, _) = try await loggedIn(fake, profiles)
        try await account.logOut()
        #expect(try !profiles.text("profiles/test/tokens.json").contains("csa_"))
        let (again, _) = try await loggedIn(fake, profiles)
        fake.state.withLock { $0.isEnded = true }
        try await again.logOut()
        #expect(try !profiles.text("profiles/test/tokens.json").contains("csr_"))
    }

    @Test("A proof for curl: for this place only, for the path without its query, with a nonce of now")
    func proof() async throws {
        let (fake, profiles) = (FakeService(), try TemporaryProfiles())
        let (account, _) = try await loggedIn(fake, profiles)
        fake.state.withLock { $0.nonce = "n-3" }
        let headers = try await account.proof("GET", "https://sign.example/v1/statements?count=1#x")
        var request = OutboundRequest("GET", "https://sign.example/v1/statements?count=1")
        request.headers = headers
        #expect(try fake.answer(request).get().status == 200)
        for url in ["https://evil.example/v1", "https://sign.example.evil/v1", "https://sign.example:444/", "/v1"] {
            await #expect(throws: ServiceError.self) { try await account.proof("GET", url) }
        }
        let first = try await account.proof("POST", "https://sign.example/v1/sessions", isLoggedIn: false, nonce: "n-9")
        #expect(first.map(\.name) == ["DPoP"])
    }
}
