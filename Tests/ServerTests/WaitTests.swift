import CountersignVerifier
import Notifications
import Server
import Sessions
import SigningService
import Testing

/// Requests that wait for something new: `Prefer: wait` (RFC 7240).
struct WaitTests {
    @Test("A15: an empty inbox is answered when something comes, and says that it waited")
    func arrival() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("alice")
            server.clock.stop()
            async let answer = alice.ask("GET", "/v1/notifications", ["Prefer: respond-async, WAIT=\"60\";x=y"])
            await server.whenWatched()
            try await server.tell("alice", "Hello")
            #expect(try await answer.status == 200)
            #expect(try await answer.field("Preference-Applied") == "wait")
            #expect(try await answer.body.contains("Hello"))
        }
    }

    @Test("Who has the list already, by its tag, is answered when it is another one, also when something has gone")
    func changedList() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("alice")
            server.clock.stop()
            let id = try await server.tell("alice", "First")
            let first = try await alice.ask("GET", "/v1/notifications", ["Prefer: wait=60"])
            #expect(first.body.contains("First") && first.field("Preference-Applied") == "wait")
            let tag = try #require(first.field("ETag"))
            let same = try await alice.ask("GET", "/v1/notifications", ["If-None-Match: \(tag)"])
            #expect(same.status == 304 && same.body.isEmpty && same.field("Preference-Applied") == nil)
            #expect(same.field("Cache-Control") == "no-store")
            async let answer = alice.ask("GET", "/v1/notifications", ["Prefer: wait=60", "If-None-Match: \(tag)"])
            await server.whenWatched()
            try await server.engine.withdraw(notification: id, as: server.operatorSession())
            #expect(try await answer.status == 200)
            #expect(try await !answer.body.contains("First"))
        }
    }

    @Test("A wait ends with its time, by the clock; the answer is what there is")
    func timeOver() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("alice")
            server.clock.stop()
            async let answer = alice.ask("GET", "/v1/notifications", ["Prefer: wait=99999999999999999999"])
            await server.whenWatched()
            // Longer than any wait is.
            server.clock.set(61_000)
            #expect(try await answer.status == 200)
            #expect(try await answer.field("Preference-Applied") == "wait")
        }
    }

    @Test(
        "A preference that makes no sense is no error, and nobody waits",
        arguments: ["wait", "wait=", "wait=-1", "wait=1.5", "wait=0", "hurry=7", ","])
    func nonsense(preference: String) async throws {
        try await TestServer.run { server in
            let alice = try await server.person("alice")
            server.clock.stop()
            let answer = try await alice.ask("GET", "/v1/notifications", ["Prefer: \(preference)"])
            #expect(answer.status == 200 && answer.field("Preference-Applied") == nil)
        }
    }

    @Test("attack D4: whoever waits on a device that is blocked meanwhile gets nothing more")
    func blocked() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("alice")
            server.clock.stop()
            let user = try SigningEngine.userName("alice")
            let device = try #require(await server.engine.deviceList(of: user).devices.first?.id)
            async let answer = alice.ask("GET", "/v1/notifications", ["Prefer: wait=60"])
            await server.whenWatched()
            _ = try await server.engine.block(device, of: user)
            #expect(try await answer.status == 401)
        }
    }

    @Test("attack A4: beyond the limit nobody waits, and nobody is refused; who waits takes no place of those who work")
    func limited() async throws {
        try await TestServer.run { settings in
            settings.watches.perTopic = 1
            settings.maxRequests = 1
        } _: { server in
            let alice = try await server.person("alice")
            server.clock.stop()
            async let answer = alice.ask("GET", "/v1/notifications", ["Prefer: wait=60"])
            await server.whenWatched()
            let second = try await alice.ask("GET", "/v1/notifications", ["Prefer: wait=60"])
            #expect(second.status == 200 && second.field("Preference-Applied") == nil)
            try await server.tell("alice", "Hello")
            #expect(try await answer.body.contains("Hello"))
        }
    }

    @Test("A stop ends the waits: they are answered with what there is")
    func stop() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("alice")
            server.clock.stop()
            async let answer = alice.ask("GET", "/v1/notifications", ["Prefer: wait=60"])
            await server.whenWatched()
            server.server.beginStop()
            #expect(try await answer.status == 200)
        }
    }
}

extension TestServer {
    /// Returns once somebody waits for something new. It stays so until there is something, or the clock goes on.
    func whenWatched() async {
        while engine.changes.waiting == 0 { await Task.yield() }
    }

    /// Tells a person something.
    @discardableResult
    func tell(_ name: String, _ subject: String, life: Int64? = nil) async throws -> UUIDText {
        let body = try NotificationBody(language: "en", subject: subject, message: "It is so.", labels: [:])
        let draft = NotificationDraft(content: try NotificationContent(bodies: [body], actions: []), life: life)
        return try await engine.notify(SigningEngine.userName(name), draft, as: .operator).notification.id
    }
}
