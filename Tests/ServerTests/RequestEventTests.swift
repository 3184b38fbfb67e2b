import CountersignVerifier
import Server
import Sessions
import SigningService
import Testing

/// `GET /v1/requests/{id}` with `Accept: text/event-stream`: what becomes of a relying service's question, as it happens.
struct RequestEventTests {
    @Test("A stream tells how it stands, who signed, and the bundle, as whoever asks for it is told; then it ends")
    func several() async throws {
        try await TestServer.run { server in
            let shop = try await server.relyingService("shop")
            let people = [
                try await server.person("alice"), try await server.person("bob"), try await server.person("carol"),
            ]
            let path = try await shop.asks(#""users":["alice","bob","carol"],"required":2,"authLevel":0"#)
            async let answer = shop.stream(of: path)
            await server.whenWatched()
            for person in people[1...] {
                let signed = try await person.answers("Accept")
                #expect(signed.status == 200, "\(signed.text)")
                // The first signature: it waits for the next. The second: it is over.
                if person === people[1] { await server.whenWatched() }
            }
            let stream = try await answer
            #expect(stream.status == 200 && stream.field("Content-Type") == "text/event-stream")
            #expect(stream.field("Cache-Control") == "no-store" && stream.field("X-Accel-Buffering") == "no")
            #expect(stream.text.hasSuffix("0\r\n\r\n") && stream.text.contains("retry: 3000\n"))
            let told = stream.told
            #expect(told.map(\.event) == ["request", "request", "request"])
            let words = [#""quorum":"2/3""#, #""users":["alice","bob","carol"]"#]
            for (event, news) in zip(told, [("pending", 0), ("pending", 1), ("done", 2)]) {
                for word in words + [#""status":"\#(news.0)""#, #""signed":\#(news.1)"#] {
                    #expect(event.data.contains(word), "\(event.data)")
                }
                #expect(event.data.contains(#""bundle":"#) == (news.0 == "done"))
            }
            let polled = try await shop.ask("GET", path)
            #expect(polled.status == 200 && polled.body == told.last?.data)
            // What is over is told at once, and the stream ends.
            #expect(try await shop.stream(of: path).told.map(\.data) == [polled.body])
        }
    }

    @Test(
        "What was declined or cancelled ends as access_denied, and whoever streams is never told to slow down"
    )
    func ends() async throws {
        try await TestServer.run { server in
            let shop = try await server.relyingService("shop")
            let alice = try await server.person("alice")
            server.clock.stop()
            for isCancelled in [false, true] {
                let path = try await shop.asks(#""user":"alice""#)
                async let first = shop.stream(of: path)
                await server.whenWatched()
                // Another stream, and a poll that is the first one: neither comes too soon.
                async let second = shop.stream(of: path)
                while server.engine.changes.waiting < 2 { await Task.yield() }
                #expect(try await shop.ask("GET", path).number("code") == 1722)
                if isCancelled {
                    #expect(try await shop.ask("DELETE", path).status == 204)
                } else {
                    #expect(try await alice.answers("Reject").status == 200)
                }
                let polled = try await shop.ask("GET", path)
                #expect(polled.status == 409 && polled.body.contains(#""error":"access_denied""#))
                for stream in [try await first, try await second] {
                    #expect(stream.told.map(\.event) == ["request", "problem"])
                    #expect(stream.told.last?.data.nameless == polled.body.nameless)
                    #expect(stream.told.last?.data.contains(stream.field("X-Request-ID") ?? "-") == true)
                    #expect(stream.text.hasSuffix("0\r\n\r\n"))
                }
            }
        }
    }

    @Test(
        "attack N2: it ends with expired_token as soon as its time is over by the clock, not before; a wait is answered then, too"
    )
    func expiry() async throws {
        try await TestServer.run { server in
            let shop = try await server.relyingService("shop")
            server.clock.stop()
            let path = try await shop.asks(#""user":"alice","expires_in":20"#)
            async let answer = shop.stream(of: path)
            async let waited = shop.ask("GET", path, ["Prefer: wait=60"])
            while server.engine.changes.waiting < 2 { await Task.yield() }
            server.clock.set(19_999)
            #expect(try await shop.ask("GET", path).number("code") == 1722)
            #expect(server.engine.changes.count == 2)
            server.clock.set(20_000)
            let stream = try await answer
            #expect(stream.told.map(\.event) == ["request", "problem"])
            #expect(stream.told.last?.data.contains(#""error":"expired_token""#) == true)
            #expect(try await waited.status == 410)
            let polled = try await shop.ask("GET", path)
            #expect(polled.status == 410 && polled.body.nameless == stream.told.last?.data.nameless)
        }
    }

    @Test(
        "attack N4: another's request, and one that is none, are refused before a stream begins; so is whoever is no service"
    )
    func strangers() async throws {
        try await TestServer.run { server in
            let (shop, bank) = (
                try await server.relyingService("shop"), try await server.relyingService("bank")
            )
            let alice = try await server.person("alice")
            let path = try await shop.asks(#""user":"alice""#)
            for (caller, path) in [(bank, path), (shop, "/v1/requests/0f8f7c0e-0000-4000-8000-000000000000")] {
                let refused = try await caller.stream(of: path)
                #expect(refused.status == 404 && refused.number("code") == 1720)
                #expect(refused.field("Content-Type") == "application/problem+json")
            }
            let refused = try await alice.ask("GET", path, ["Accept: text/event-stream"])
            #expect(refused.status == 403)
            #expect(server.engine.changes.count == 0)
        }
    }

    @Test(
        "attack A4: so many streams of one request, and in all; one that has ended gives its place back, also where its connection stays"
    )
    func limited() async throws {
        try await TestServer.run { settings in
            settings.watches = ChangeHub.Limits(inAll: 3, perTopic: 2)
        } _: { server in
            let shop = try await server.relyingService("shop")
            let paths = [try await shop.asks(#""user":"alice""#), try await shop.asks(#""user":"bob""#)]
            // Held open, and not read: a reader takes a thread.
            var held: [Connection] = []
            for (path, count) in [(paths[0], 1), (paths[0], 2), (paths[1], 3)] {
                let connection = try #require(Connection(to: server.port))
                connection.send(Array(try shop.request("GET", path, ["Accept: text/event-stream"]).utf8))
                held.append(connection)
                while server.engine.changes.waiting < count { await Task.yield() }
                guard count == 2 else { continue }
                let many = try await shop.stream(of: path)
                #expect(many.status == 429 && many.field("Retry-After") == "60", "\(many.text)")
            }
            let busy = try await shop.stream(of: paths[1])
            #expect(busy.status == 503 && busy.field("Retry-After") == "60", "\(busy.text)")
            for path in paths { #expect(try await shop.ask("DELETE", path).status == 204) }
            while server.engine.changes.count > 0 { await Task.yield() }
            withExtendedLifetime(held) {}
        }
    }

    @Test("attack D4: it ends with its session, once the service looks; and when the service stops")
    func sessionEnds() async throws {
        try await TestServer.run { server in
            let (shop, bank) = (
                try await server.relyingService("shop"), try await server.relyingService("bank")
            )
            server.clock.stop()
            async let locked = shop.stream(of: try await shop.asks(#""user":"alice""#))
            async let stopped = bank.stream(of: try await bank.asks(#""user":"alice""#))
            while server.engine.changes.waiting < 2 { await Task.yield() }
            _ = try await server.engine.lockClient(#require(ClientName("shop")))
            // The next look at the latest is when there was nothing for so long.
            server.clock.set(15_000)
            #expect(try await locked.told.map(\.event) == ["request"])
            #expect(try await locked.text.hasSuffix("0\r\n\r\n"))
            server.server.beginStop()
            #expect(try await stopped.told.map(\.event) == ["request"])
            // It was told that the service is there when there was nothing else for so long.
            #expect(try await stopped.text.contains("\r\n:\n\n\r\n"))
            #expect(try await stopped.text.hasSuffix("0\r\n\r\n"))
        }
    }
}

extension Answer {
    /// What a stream told, comments left out.
    var told: [(event: String, data: String)] {
        body.split(separator: "event: ").dropFirst().map { text in
            let lines = text.split(separator: "\n")
            return (String(lines[0]), lines.count > 1 ? String(lines[1].dropFirst("data: ".count)) : "")
        }
    }
}

extension String {
    /// A problem without the id of the request that was refused.
    fileprivate var nameless: String {
        split(separator: ",").filter { !$0.contains(#""requestID""#) }.joined(separator: ",")
    }
}

extension Caller {
    /// Asks persons to sign, as a relying service.
    ///
    /// - Returns: where the outcome is.
    func asks(_ members: String) async throws -> String {
        let body = #"{\#(members),"payload":"Pay 5.00 EUR","reason":"Invoice 17","match_code":"none"}"#
        let asked = try await ask("POST", "/v1/requests", body: body)
        try #require(asked.status == 202, "\(asked.text)")
        return "/v1/requests/\(try #require(asked.member("id")))"
    }

    /// All that the stream of a request tells until it ends.
    func stream(of path: String) async throws -> Answer { try await ask("GET", path, ["Accept: text/event-stream"]) }

    /// Answers, as a person, the newest question.
    func answers(_ action: String) async throws -> Answer {
        let inbox = try await ask("GET", "/v1/notifications")
        let id = try #require(inbox.member("id"), "\(inbox.text)")
        return try await ask("POST", "/v1/notifications/\(id)/answer", body: #"{"action":"\#(action)"}"#)
    }
}
