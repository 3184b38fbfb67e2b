import CountersignVerifier
import Server
import Sessions
import SigningService
import Testing

/// How a relying service learns what came of its question.
struct RequestRouteTests {
    @Test("Whoever waits is answered when it is over, with all that came of it")
    func waits() async throws {
        try await TestServer.run { server in
            let shop = try await server.relyingService("shop")
            let alice = try await server.person("alice")
            let path = try await shop.asks(#""user":"alice""#)
            server.clock.stop()
            async let answer = shop.ask("GET", path, ["Prefer: wait=60"])
            await server.whenWatched()
            #expect(try await alice.answers("Reject").status == 200)
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
            let path = try await shop.asks(#""user":"alice""#)
            server.clock.stop()
            async let answer = shop.ask("GET", path, ["Prefer: wait=60"])
            await server.whenWatched()
            server.server.beginStop()
            #expect(try await answer.status == 400)
        }
    }

    @Test(
        "CIBA Core section 11: each question too soon costs five seconds more from then on, to the millisecond; whoever waits is not counted"
    )
    func slowDown() async throws {
        try await TestServer.run { server in
            let shop = try await server.relyingService("shop")
            server.clock.stop()
            let (path, other) = (
                try await shop.asks(#""user":"alice""#), try await shop.asks(#""user":"bob""#)
            )
            var now: Int64 = 0
            /// Asks so many milliseconds after the last question; the seconds to leave where that was too soon.
            func poll(after pause: Int64) async throws -> Int? {
                now += pause
                server.clock.set(now)
                let answer = try await shop.ask("GET", path)
                #expect(answer.status == 400)
                let isSlow = answer.number("code") == 1723
                #expect(answer.body.contains(isSlow ? #""error":"slow_down""# : #""error":"authorization_pending""#))
                #expect(answer.field("Retry-After").flatMap { Int($0) } == answer.number("retryAfter"))
                return isSlow ? answer.number("retryAfter") : nil
            }
            #expect(try await poll(after: 0) == nil, "the first")
            #expect(try await poll(after: 5_000) == nil, "in time, to the millisecond")
            #expect(try await poll(after: 4_999) == 10, "a millisecond too soon")
            #expect(try await poll(after: 9_999) == 15, "the pause counts from the question that was too soon")
            #expect(try await poll(after: 0) == 20)
            #expect(try await poll(after: 20_000) == nil, "in time again")
            #expect(try await poll(after: 19_999) == 25, "what was added stays")
            // Who waits may come at any time, and is no question that the next one must keep a distance to.
            now += 24_999
            server.clock.set(now)
            async let waited = shop.ask("GET", path, ["Prefer: wait=1"])
            await server.whenWatched()
            now += 1
            // Its second is over, whenever it began.
            server.clock.set(now + 1_000)
            #expect(try await waited.number("code") == 1722)
            server.clock.set(now)
            #expect(try await poll(after: 0) == nil, "25 seconds after the last one that counts")
            // Each request has a pace of its own.
            #expect(try await shop.ask("GET", other).number("code") == 1722)
        }
    }
}
