import CountersignKeys
import CountersignVerifier
import Notifications
import Server
import Sessions
import SigningService
import Storage
import Testing

/// `GET /v1/events`: what becomes of a person's notifications, as it happens.
struct EventStreamTests {
    @Test("K38, A15: a stream begins with what waits, and tells what is made and what ends, of this person alone")
    func events() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("alice")
            _ = try await server.person("bob")
            let first = try await server.tell("alice", "First")
            async let answer = alice.stream()
            await server.whenWatched()
            let others = try await server.tell("bob", "Not hers")
            let second = try await server.tell("alice", "Second")
            await server.whenWatched()
            try await server.engine.withdraw(notification: first, as: server.operatorSession())
            await server.whenWatched()
            server.server.beginStop()
            let stream = try await answer
            #expect(stream.status == 200 && stream.field("Content-Type") == "text/event-stream")
            #expect(stream.field("Cache-Control") == "no-store" && stream.field("X-Accel-Buffering") == "no")
            #expect(stream.events == ["\(first.text) PENDING", "\(second.text) PENDING", "\(first.text) DISCARDED"])
            #expect(!stream.text.contains(others.text) && !stream.text.contains("Second"))
            #expect(stream.text.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test(
        "Whoever comes again with Last-Event-ID is told what happened meanwhile, and nothing twice but of that millisecond"
    )
    func again() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("alice")
            let ended = try await server.tell("alice", "Ended")
            let old = try await server.tell("alice", "Old")
            let mark = server.clock.now() + 1_000
            server.clock.set(2_000)
            try await server.engine.withdraw(notification: ended, as: server.operatorSession())
            async let answer = alice.stream(["Last-Event-ID: \(mark)"])
            await server.whenWatched()
            server.server.beginStop()
            let stream = try await answer
            #expect(stream.events == ["\(ended.text) DISCARDED"])
            #expect(!stream.text.contains(old.text))
        }
    }

    @Test("An id that is none begins anew", arguments: ["", "x", "-1", "01", "99999999999999999999"])
    func foreignID(id: String) async throws {
        try await TestServer.run { server in
            let alice = try await server.person("alice")
            let told = try await server.tell("alice", "Hello")
            async let answer = alice.stream(["Last-Event-ID: \(id)"])
            await server.whenWatched()
            server.server.beginStop()
            #expect(try await answer.events == ["\(told.text) PENDING"])
        }
    }

    @Test("H11: what nobody answers is told as EXPIRED when its time comes by the clock, though nobody looks")
    func expiry() async throws {
        try await TestServer.run { server in
            server.clock.stop()
            let alice = try await server.person("alice")
            let over = try await server.tell("alice", "Over soon", life: 10_000)
            let stays = try await server.tell("alice", "Stays")
            async let answer = alice.stream()
            await server.whenWatched()
            server.clock.set(9_999)
            #expect(try await server.recorded("notification-expired").isEmpty)
            server.clock.set(10_000)
            // Nobody else looks: the stream itself closes it.
            while try await server.recorded("notification-expired").isEmpty { await Task.yield() }
            server.server.beginStop()
            let events = try await answer.events
            #expect(events.last == "\(over.text) EXPIRED" && events.count == 3)
            #expect(Set(events[..<2]) == ["\(over.text) PENDING", "\(stays.text) PENDING"])
            #expect(try await server.recorded("notification-expired").count == 1)
        }
    }

    @Test("attack D4: a stream ends with its session: logged out, its device blocked, its user locked")
    func sessionEnds() async throws {
        try await TestServer.run { server in
            let user = try SigningEngine.userName("alice")
            let alice = try await server.person("alice")
            async let answer = alice.stream()
            await server.whenWatched()
            let device = try #require(await server.engine.deviceList(of: user).devices.first?.id)
            _ = try await server.engine.block(device, of: user)
            // It ends by itself: nobody stops the server.
            #expect(try await answer.text.hasSuffix("0\r\n\r\n"))
            while server.engine.changes.count > 0 { await Task.yield() }
        }
    }

    @Test("attack A4: so many streams of one user, and in all; who goes gives the place back")
    func limited() async throws {
        try await TestServer.run { settings in
            settings.watches = ChangeHub.Limits(inAll: 3, perTopic: 2)
        } _: { server in
            let (alice, bob, carol) = (
                try await server.person("alice"), try await server.person("bob"), try await server.person("carol")
            )
            // Held open, and not read: a reader takes a thread.
            var held: [Connection] = []
            for (person, count) in [(alice, 1), (alice, 2), (bob, 3)] {
                _ = try await person.ask("GET", "/v1/devices")
                let connection = try #require(Connection(to: server.port))
                connection.send(Array(try person.request("GET", "/v1/events").utf8))
                held.append(connection)
                while server.engine.changes.waiting < count { await Task.yield() }
                guard count == 2 else { continue }
                let many = try await alice.ask("GET", "/v1/events")
                #expect(many.status == 429 && many.field("Retry-After") == "60", "\(many.text)")
            }
            let busy = try await carol.ask("GET", "/v1/events")
            #expect(busy.status == 503 && busy.field("Retry-After") == "60", "\(busy.text)")
            held.removeAll()
            while server.engine.changes.count > 0 { await Task.yield() }
        }
    }

    @Test("A peer that goes is noticed at once, although nothing is sent to it")
    func gone() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("alice")
            _ = try await alice.ask("GET", "/v1/devices")
            do {
                let connection = try #require(Connection(to: server.port))
                connection.send(Array(try alice.request("GET", "/v1/events").utf8))
                await server.whenWatched()
            }
            while server.engine.changes.count > 0 { await Task.yield() }
        }
    }
}

extension TestServer {
    /// What the audit has of an event.
    func recorded(_ event: String) async throws -> [AuditRow] {
        try await engine.audit(AuditRow.Filter(event: event), .first)
    }
}

extension Answer {
    /// The events as `id status`.
    var events: [String] {
        body.split(separator: "data: {").dropFirst().map { event in
            let words = event.split(separator: "\"")
            return words.count > 5 ? "\(words[2]) \(words[6])" : String(event)
        }
    }
}

extension Caller {
    /// A request on the wire.
    func request(_ method: String, _ path: String, _ fields: [String] = []) throws -> String {
        "\(method) \(path) HTTP/1.1\r\nHost: elsewhere.test\r\n"
            + (try credentials(method, path) + fields).map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// All events until the stream ends.
    func stream(_ fields: [String] = []) async throws -> Answer {
        // The nonce.
        _ = try await ask("GET", "/v1/devices")
        return try await server.send(request("GET", "/v1/events", fields))
    }
}
