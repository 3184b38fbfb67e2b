import CountersignKeys
import Server
import Sessions
import SigningService
import Testing

/// Every route with everything that shows who asks and is not good enough (attack A1). The cases are made from the server's own
/// table of routes, so that none is forgotten.
struct CredentialTests {
    private static let day: Int64 = 86_400_000

    /// What a request shows of who asks, and the refusal that must come of it.
    private struct Case {
        let name: String
        let code: Int
        let fields: (_ method: String, _ path: String) throws -> [String]

        init(_ name: String, _ code: Int, _ fields: @escaping (String, String) throws -> [String]) {
            (self.name, self.code, self.fields) = (name, code, fields)
        }
    }

    /// Tokens that are not the caller's, or no longer.
    private static func tokens(
        _ server: TestServer, expired: Caller, alice: Caller, other: Caller, service: Caller
    ) async throws -> [Case] {
        let ended = try await server.person("mallory")
        #expect(try await ended.ask("DELETE", "/v1/sessions/current").status == 204)
        let second = try await server.device(of: "alice")
        let (token, refreshToken) = (try #require(alice.token), try #require(alice.refreshToken))
        let nonce = try #require(alice.newestNonce)
        func shown(
            by caller: Caller, _ token: String, _ scheme: String = "DPoP"
        ) -> (String, String) throws -> [String] {
            { ["Authorization: \(scheme) \(token)", try caller.proof($0, $1, of: token, nonce: nonce)] }
        }
        return [
            Case("no token", 1820) { _, _ in [] },
            Case("another scheme", 1820) { _, _ in ["Authorization: Basic YTpi"] },
            Case("an expired token", 1821, shown(by: expired, try #require(expired.token))),
            Case("the token of an ended session", 1821, shown(by: ended, try #require(ended.token))),
            Case("the token of another person", 1821, shown(by: alice, try #require(other.token))),
            Case("a stolen token with another person's key", 1821, shown(by: other, token)),
            Case("a stolen token with the key of another device of the person", 1821, shown(by: second, token)),
            Case("a stolen token as a bearer token", 1821) { _, _ in ["Authorization: Bearer \(token)"] },
            Case("a stolen token as a bearer token, with its proof", 1821, shown(by: alice, token, "Bearer")),
            Case("a bearer token with a proof", 1821, shown(by: alice, try #require(service.token))),
            Case("a refresh token", 1821, shown(by: alice, refreshToken)),
            Case("a token that nobody has", 1821, shown(by: alice, "csa_" + String(repeating: "A", count: 43))),
            Case("two tokens", 1821) {
                try shown(by: alice, token)($0, $1) + ["Authorization: DPoP \(token)"]
            },
        ]
    }

    /// Proofs that are none for the request. Without a token they are those of a key alone.
    private static func proofs(of caller: Caller, nonce: String, oldNonce: String) -> [Case] {
        let token = caller.token
        func with(_ proofs: String...) -> [String] { (token.map { ["Authorization: DPoP \($0)"] } ?? []) + proofs }
        return [
            Case("a proof for another path", 1823) { method, _ in
                with(try caller.proof(method, "/v1/elsewhere", of: token, nonce: nonce))
            },
            Case("a proof for another method", 1823) { method, path in
                with(try caller.proof(method == "POST" ? "GET" : "POST", path, of: token, nonce: nonce))
            },
            Case("a proof with another ath", 1823) { with(try caller.proof($0, $1, of: "another", nonce: nonce)) },
            Case("two proofs", 1823) {
                with(
                    try caller.proof($0, $1, of: token, nonce: nonce),
                    try caller.proof($0, $1, of: token, nonce: nonce))
            },
            Case("no proof but a text", 1823) { _, _ in with("DPoP: a.b.c") },
            Case("a proof without a nonce", 1825) { with(try caller.proof($0, $1, of: token, nonce: nil)) },
            Case("a proof with an old nonce", 1825) { with(try caller.proof($0, $1, of: token, nonce: oldNonce)) },
        ]
    }

    @Test("attack A1: every route x every token and proof that is not good enough")
    func everyRoute() async throws {
        try await TestServer.run { server in
            let expired = try await server.person("eve")
            _ = try await expired.ask("GET", "/v1/sessions")
            let oldNonce = try #require(expired.newestNonce)
            server.clock.set(Self.day)
            let (alice, other) = (try await server.person("alice"), try await server.person("bob"))
            #expect(try await alice.ask("GET", "/v1/sessions").status == 200)
            let service = try await server.relyingService("bank")
            let tokens = try await Self.tokens(
                server, expired: expired, alice: alice, other: other, service: service)
            let keyless = Case("no proof", 1822) { _, _ in ["Authorization: DPoP \(try #require(alice.token))"] }
            let holder = Caller(server, key: try PrivateKey(generating: .es256))
            for route in SigningServer.routes where route.takesProof {
                let (method, path) = (route.method, AccessTests.filled(route.path))
                let caller = route.roles == nil ? holder : alice
                // The one of a moment ago may be the last of its minute.
                _ = try await caller.ask(method, path + "?none=1")
                let nonce = try #require(caller.newestNonce)
                var cases = Self.proofs(of: caller, nonce: nonce, oldNonce: oldNonce)
                if route.roles != nil { cases += tokens + [keyless] }
                for refused in cases {
                    let answer = try await server.ask(
                        method, path, refused.fields(method, path), body: Self.body(method))
                    #expect(
                        answer.status == 401 && answer.body.contains("\"code\":\(refused.code)"),
                        "\(method) \(path), \(refused.name): \(answer.text)")
                    #expect(answer.field("WWW-Authenticate") != nil, "\(method) \(path), \(refused.name)")
                }
                // A query that no route knows: the proof is used, and nothing is done.
                let used = try caller.credentials(method, path)
                let first = try await server.ask(method, path + "?none=1", used, body: Self.body(method))
                #expect(
                    first.status != 401 && (400..<500).contains(first.status), "\(method) \(path): \(first.text)")
                let again = try await server.ask(method, path, used, body: Self.body(method))
                #expect(
                    again.status == 401 && again.body.contains("\"code\":1824"), "\(method) \(path): \(again.text)")
            }
        }
    }

    @Test("attack A1: a route for everybody does not look at who asks")
    func openRoutes() async throws {
        try await TestServer.run { server in
            let person = try await server.person("alice")
            for route in SigningServer.routes where !route.takesProof {
                let body = Self.body(route.method)
                let plain = try await server.ask(route.method, route.path, body: body)
                for fields in [
                    ["Authorization: Bearer none"],
                    ["Authorization: DPoP \(try #require(person.token))", "DPoP: a.b.c"],
                    ["DPoP: a"],
                ] {
                    let answer = try await server.ask(route.method, route.path, fields, body: body)
                    #expect(answer.status == plain.status && plain.status < 500, "\(route.path): \(answer.text)")
                }
            }
        }
    }

    private static func body(_ method: String) -> String? { ["GET", "DELETE"].contains(method) ? nil : "{}" }
}
