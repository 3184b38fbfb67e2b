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

    @Test("Whoever waits is answered when it is over, with all that came of it")
    func waits() async throws {
        try await TestServer.run { server in
            let shop = try await server.relyingService("shop")
            let alice = try await server.person("alice")
            let path = try await ask(shop)
            server.clock.stop()
            async let answer = shop.ask("GET", path, ["Prefer: wait=60"])
            await server.whenWatched()
            let inbox = try await alice.ask("GET", "/v1/notifications").body
            let marker = #""notifications":[{"id":""#
            let start = try #require(inbox.firstRange(of: marker)).upperBound
            let id = inbox[start...].prefix(36)
            let rejected = try await alice.ask(
                "POST", "/v1/notifications/\(id)/answer", body: #"{"action":"Reject"}"#)
            #expect(rejected.status == 200)
            // On a day so slow that the wait ended first, the next question finds the end.
            #expect(try await [400, 409].contains(answer.status))
            let end = try await shop.ask("GET", path)
            #expect(end.status == 409 && end.body.contains("access_denied"))
        }
    }

    @Test("A stop lets nobody wait")
    func stops() async throws {
        try await TestServer.run { server in
            let shop = try await server.relyingService("shop")
            let path = try await ask(shop)
            server.clock.stop()
            async let answer = shop.ask("GET", path, ["Prefer: wait=60"])
            await server.whenWatched()
            server.server.beginStop()
            #expect(try await answer.status == 400)
        }
    }
}
