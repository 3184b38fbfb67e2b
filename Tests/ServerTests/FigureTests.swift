import CountersignVerifier
import Notifications
import Server
import Sessions
import SigningService
import Storage
import Testing
import Wire

/// What the service says of itself, and how often it may be asked.
struct FigureTests {
    @Test("A streamed answer whose later part cannot be made is cut, logged and counted")
    func brokenAnswer() async throws {
        try await TestServer.run { server in
            let caller = try await server.operatorCaller()
            try await server.change { connection in
                for _ in 0..<(2 * Page.limit) { try AuditRow(at: 1, event: "test", result: 0).append(on: connection) }
                // In the last of the parts.
                try connection.run("UPDATE audit SET detail = $1 WHERE seq = 1", [.bytes([0xFF])])
            }
            let lines = ["Accept: application/x-ndjson"]
            _ = try await caller.ask("GET", "/v1/audit", lines + ["Connection: close"])
            let fields = try caller.credentials("GET", "/v1/audit") + lines
            let request = "GET /v1/audit HTTP/1.1\r\nHost: x\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
            let answer = try await server.send(request, untilClosed: true)
            #expect(answer.status == 200 && answer.isClosed)
            #expect(answer.body.contains("\"event\":\"test\""))
            #expect(!answer.text.hasSuffix("0\r\n\r\n"), "nobody takes it for the whole")
            let metrics = try await server.ask("GET", "/metrics")
            #expect(metrics.body.contains("countersign_broken_answers_total 2\n"), "\(metrics.body)")
            let counted = #"countersign_requests_total{method="GET",route="/v1/audit",status="200"} 2"#
            #expect(metrics.body.contains(counted))
            #expect(server.log.text.contains("error request failed") && server.log.text.contains("/v1/audit"))
        }
    }

    @Test("H03: an answer has about 1 MiB and says where it goes on; all answers together are the history")
    func longHistory() async throws {
        try await TestServer.run { server in
            let alice = try await server.person("alice")
            let text = String(repeating: "\u{1F600}", count: 2_000)
            let languages = ["en", "de", "fr", "it", "es", "pt", "nl", "da", "sv", "fi"]
            let user = try SigningEngine.userName("alice")
            var ids: [String] = []
            let session = try await server.operatorSession()
            for number in 0..<40 {
                let bodies = try languages.map {
                    try NotificationBody(language: $0, subject: "News \(number)", message: text, labels: [:])
                }
                let draft = NotificationDraft(content: try NotificationContent(bodies: bodies, actions: []))
                let id = try await server.engine.notify(user, draft, as: .operator).notification.id
                try await server.engine.dismiss(notification: id, as: session)
                ids.insert(id.text, at: 0)
            }
            var (found, place, answers): ([String], Int?, Int) = ([], 1, 0)
            while let start = place {
                let path = "/v1/notifications/history?count=0&startIndex=\(start)"
                let answer = try await alice.ask("GET", path)
                #expect(answer.status == 200 && answer.bytes.count < 1_200_000)
                let list = try ListMessage<NotificationMessage>.parse(Array(answer.body.utf8))
                found += list.elements.map(\.id)
                (place, answers) = (list.next, answers + 1)
            }
            // Those of one millisecond stand by their ids.
            #expect(Set(found) == Set(ids) && found.count == 40)
            #expect(answers == 4, "13 of 80,000 bytes each")
            let few = try await alice.ask("GET", "/v1/notifications/history?count=2")
            #expect(few.number("next") == 3)
            let last = try await alice.ask("GET", "/v1/notifications/history?count=2&startIndex=39")
            #expect(last.number("next") == nil)
        }
    }

    @Test("attack D6: a relying service may make so many notifications a minute, and what it withdraws counts")
    func notifications() async throws {
        try await TestServer.run {
            $0.notificationsPerMinute = 3
        } _: { server in
            server.clock.stop()
            _ = try await server.person("alice")
            let (shop, bank) = (try await server.relyingService("shop"), try await server.relyingService("bank"))
            let body = #"{"user":"alice","body":[{"lng":"en","subject":"News","message":"Read"}],"actions":[]}"#
            for _ in 0..<3 {
                let made = try await shop.ask("POST", "/v1/notifications", body: body)
                #expect(made.status == 201, "\(made.text)")
                let gone = try await shop.ask("DELETE", "/v1/notifications/\(try #require(made.member("id")))")
                #expect(gone.status == 204)
            }
            let refused = try await shop.ask("POST", "/v1/notifications", body: body)
            #expect(refused.status == 429 && refused.field("Retry-After") == "20", "\(refused.text)")
            #expect(try await bank.ask("POST", "/v1/notifications", body: body).status == 201)
            let caller = try await server.operatorCaller()
            for _ in 0..<4 {
                #expect(try await caller.ask("POST", "/v1/notifications", body: body).status == 201)
            }
            server.clock.set(20_000)
            #expect(try await shop.ask("POST", "/v1/notifications", body: body).status == 201)
        }
    }
}
