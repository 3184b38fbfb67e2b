import CountersignVerifier
import Server
import Sessions
import SigningService
import Testing

/// How a relying service learns what came of its question.
struct RequestRouteTests {
    private static let body = #"{"user":"alice","payload":"Pay 5.00 EUR","reason":"Invoice 17","match_code":"none"}"#

    private func ask(_ shop: Caller) async throws -> String {
        let asked = try await shop.ask("POST", "/v1/requests", body: Self.body)
        #expect(asked.status == 202)
        let id = try #require(asked.body.split(separator: "\"").first { UUIDText(String($0)) != nil })
        return "/v1/requests/\(id)"
    }

    @Test("Whoever polls too soon is slowed down, each time more; whoever leaves the time is not (CIBA 7.3)")
    func pace() async throws {
        try await TestServer.run { server in
            let shop = try await server.relyingService("shop")
            let path = try await ask(shop)
            func poll() async throws -> (Int, String?, Bool) {
                let answer = try await shop.ask("GET", path)
                return (answer.status, answer.field("Retry-After"), answer.body.contains("slow_down"))
            }
            #expect(try await poll() == (400, "5", false))
            server.clock.set(-10_000)
            #expect(try await poll() == (400, "10", true))
            server.clock.set(-20_000)
            #expect(try await poll() == (400, "15", true))
            server.clock.set(10_000)
            #expect(try await poll() == (400, "5", false), "thirty seconds later")
            let waited = try await shop.ask("GET", path, ["Prefer: wait=1"])
            #expect(waited.status == 400 && waited.body.contains("authorization_pending"))
        }
    }

    @Test("Whoever waits is answered when it is over, with all that came of it")
    func waits() async throws {
        try await TestServer.run { server in
            let shop = try await server.relyingService("shop")
            let alice = try await server.person("alice")
            let path = try await ask(shop)
            async let answer = shop.ask("GET", path, ["Prefer: wait=60"])
            await server.whenWatched()
            let inbox = try await alice.ask("GET", "/v1/notifications").body
            let marker = #""notifications":[{"id":""#
            let start = try #require(inbox.firstRange(of: marker)).upperBound
            let id = inbox[start...].prefix(36)
            let rejected = try await alice.ask(
                "POST", "/v1/notifications/\(id)/answer", body: #"{"action":"Reject"}"#)
            #expect(rejected.status == 200)
            #expect(try await answer.status == 409)
            #expect(try await answer.body.contains("access_denied"))
        }
    }

    @Test("A stop lets nobody wait")
    func stops() async throws {
        try await TestServer.run { server in
            let shop = try await server.relyingService("shop")
            let path = try await ask(shop)
            async let answer = shop.ask("GET", path, ["Prefer: wait=60"])
            await server.whenWatched()
            server.server.beginStop()
            #expect(try await answer.status == 400)
        }
    }
}
