import CountersignClient
import Notifications
import Outbound
import Signing
import SigningService
import Synchronization
import Testing
import Wire

@Suite("What waits for a person, as it comes")
struct WatchTests {
    private static let ids = [
        "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002",
        "00000000-0000-4000-8000-000000000003",
    ]

    /// What somebody who watches is given where the service's inbox is these, one look after the other: ids, the newest first, or
    /// something else than an inbox.
    private func watched(_ looks: [ScriptedExchange.Outcome]) async throws -> (
        ids: [String], troubles: Int, error: ServiceError?, pauses: Int
    ) {
        let (fake, profiles) = (FakeService(), try TemporaryProfiles())
        let count = Mutex(0)
        let exchange = ScriptedExchange { request, _ in
            guard request.path == "/v1/notifications" else { return fake.answer(request) }
            let index = count.withLock { count in
                count += 1
                return count - 1
            }
            return index < looks.count ? looks[index] : .refused(Refusal(.scopeInsufficient))
        }
        let account = try profiles.account(exchange)
        try await account.logIn(user: "alice", password: Secret("password"))
        let given = Mutex<[String]>([])
        let troubles = Mutex(0)
        let error = await failure {
            try await account.watchNotifications(trouble: { _ in troubles.withLock { $0 += 1 } }) { record in
                given.withLock { $0.append(record.id) }
                return true
            }
        }
        return (given.withLock { $0 }, troubles.withLock { $0 }, error, exchange.pauses.count)
    }

    private func inbox(_ numbers: Int...) throws -> ScriptedExchange.Outcome {
        .json(200, ListMessage(try numbers.map { try Self.message(Self.ids[$0]) }))
    }

    private static func message(_ id: String) throws -> NotificationMessage {
        try NotificationMessage.parse(
            Array(
                """
                {"id":"\(id)","user":"alice","status":"PENDING","body":[{"lng":"en","subject":"s","message":"m","labels":{}}],\
                "actions":[],"createdAt":1,"expiresAt":2,"matter":"message"}
                """.utf8))
    }

    @Test("What waits is given the oldest first, then what comes, once each, also where others have gone")
    func once() async throws {
        let seen = try await watched([inbox(1, 0), inbox(1, 0), inbox(2, 1), inbox()])
        #expect(seen.ids == [0, 1, 2].map { Self.ids[$0] })
        #expect(seen.troubles == 0 && seen.error?.refusal?.code == 1827)
    }

    @Test("Where the service lets wait, it is asked again at once, by the tag of what is known; else after a while")
    func waits() async throws {
        let (fake, profiles) = (FakeService(), try TemporaryProfiles())
        let count = Mutex(0)
        let exchange = ScriptedExchange { request, _ in
            guard request.path == "/v1/notifications" else { return fake.answer(request) }
            let index = count.withLock { count in
                count += 1
                return count - 1
            }
            let applied = [("Preference-Applied", "wait"), ("ETag", "\"\(index)\"")]
            switch index {
            case 0, 2: return .json(200, ListMessage<NotificationMessage>([]), applied)
            case 1: return .success(OutboundResponse(status: 304, headers: [(name: applied[0].0, value: applied[0].1)]))
            case 3: return .json(200, ListMessage<NotificationMessage>([]), [applied[1]])
            default: return .refused(Refusal(.scopeInsufficient))
            }
        }
        let account = try profiles.account(exchange)
        try await account.logIn(user: "alice", password: Secret("password"))
        let before = exchange.requests.count
        #expect(await failure { try await account.watchNotifications { _ in true } }?.refusal?.code == 1827)
        let asked = exchange.requests.dropFirst(before)
        #expect(asked.allSatisfy { $0.header("Prefer") == "wait=20" })
        #expect(asked.map { $0.header("If-None-Match") } == [nil, "\"0\"", "\"0\"", "\"2\"", "\"3\""])
        #expect(exchange.pauses == [.seconds(2)])
    }

    @Test("A service that is away is told of once and asked again until it is back; one that refuses for good ends it")
    func away() async throws {
        let away = Array(repeating: ScriptedExchange.Outcome.unreachable, count: 8)
        let seen = try await watched([try inbox(0)] + away + [try inbox(1, 0)])
        #expect(seen.ids == [0, 1].map { Self.ids[$0] } && seen.troubles == 1)
        let over = try await watched([try inbox(0), .refused(Refusal(.tokenInvalid)), .refused(Refusal(.tokenInvalid))])
        #expect(over.ids == [Self.ids[0]] && over.error?.needsLogIn == true)
    }
}
