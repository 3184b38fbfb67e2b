import CountersignClient
import CountersignKeys
import Outbound
import Signing
import Synchronization
import Testing
import Wire

@Suite("What is sent again, and what is not")
struct RetryTests {
    private func service(
        _ exchange: ScriptedExchange, options: ServiceOptions = ServiceOptions()
    ) throws -> CountersignService {
        try CountersignService("https://sign.example", options: options, surroundings: exchange.surroundings)
    }

    private let metadata = ScriptedExchange.Outcome.json(
        200,
        MetadataMessage(
            issuer: "https://sign.example", tokenEndpoint: "t", keys: "k", grantTypes: [], responseTypes: [],
            tokenMethods: [], tokenAlgorithms: [], proofAlgorithms: [], levels: [], keyHistory: "h", api: "a"))

    @Test("A read is sent again after a lost connection, with longer and longer pauses")
    func reads() async throws {
        let exchange = ScriptedExchange([.lost, .unreachable, .failure(OutboundError(.timedOut, "late")), metadata])
        #expect(try await service(exchange).metadata().issuer == "https://sign.example")
        #expect(exchange.requests.count == 4)
        #expect(exchange.pauses == [.milliseconds(75), .milliseconds(150), .milliseconds(300)])
    }

    @Test("Not more often than allowed, and then the service is unreachable")
    func bounded() async throws {
        let exchange = ScriptedExchange([])
        await #expect(throws: ServiceError.self) { try await service(exchange).metadata() }
        #expect(exchange.requests.count == 4)
        var options = ServiceOptions()
        options.attempts = 1
        let once = ScriptedExchange([.lost])
        let error = await failure { _ = try await service(once, options: options).metadata() }
        #expect(error?.isUnanswered == true && error?.mayBeDone == true)
        #expect(once.requests.count == 1)
        let absent = ScriptedExchange { _, _ in .unreachable }
        let nobody = await failure { _ = try await service(absent).metadata() }
        #expect(nobody?.isUnreachable == true && nobody?.mayBeDone == false)
        let gone = ScriptedExchange { _, index in index == 0 ? .lost : .unreachable }
        #expect(await failure { _ = try await service(gone).metadata() }?.isUnanswered == true)
    }

    @Test("503 and 429 are asked again after what Retry-After says; others never")
    func refusals() async throws {
        let exchange = ScriptedExchange([
            .refused(Refusal(.storeBusy), [("Retry-After", "2")]),
            .refused(Refusal(.tooManyRequests, .retryAfter(seconds: 3))), metadata,
        ])
        _ = try await service(exchange).metadata()
        #expect(exchange.pauses == [.milliseconds(2100), .milliseconds(3150)])
        for code in Refusal.Code.allCases where ![429, 503].contains(code.httpStatus) {
            let exchange = ScriptedExchange([.refused(Refusal(code)), metadata])
            let found = await failure { _ = try await service(exchange).metadata() }?.refusal
            #expect(found?.code == code.rawValue && exchange.requests.count == 1, "\(code)")
        }
    }

    @Test("Whoever is told to come back after the deadline is refused at once")
    func deadline() async throws {
        let exchange = ScriptedExchange([.refused(Refusal(.serverStopping), [("Retry-After", "3600")]), metadata])
        let service = try service(exchange)
        let found = await failure { _ = try await service.metadata() }?.refusal
        #expect(found?.code == 1813 && exchange.requests.count == 1 && exchange.pauses.isEmpty)
        var options = ServiceOptions()
        (options.deadline, options.attempts) = (.seconds(1), 1000)
        let slow = ScriptedExchange([])
        await #expect(throws: ServiceError.self) {
            try await CountersignService("https://sign.example", options: options, surroundings: slow.surroundings)
                .metadata()
        }
        #expect((2..<20).contains(slow.requests.count))
        #expect(slow.requests.allSatisfy { $0.timeout <= .seconds(1) })
    }

    @Test("A certificate that is not trusted, what is no HTTP, and too long answers are final")
    func finals() async throws {
        for code in [OutboundError.Code.untrusted, .protocolViolation, .tooLarge, .requestInvalid] {
            let exchange = ScriptedExchange([.failure(OutboundError(code, "x")), metadata])
            await #expect(throws: ServiceError.self) { try await service(exchange).metadata() }
            #expect(exchange.requests.count == 1, "\(code)")
        }
    }

    @Test("Another server's answers are told from refusals: pages, redirects, problems of others, members twice")
    func others() async throws {
        let twice = #"{"count":1,"count":2}"#
        for (outcome, isPassing) in [
            (ScriptedExchange.Outcome.text(404, "<html>"), false), (.text(302), false), (.text(200, "{}"), false),
            (.text(200, twice), false), (.text(502, "<html>"), true), (.text(401, #"{"error":"x"}"#), false),
        ] {
            let exchange = ScriptedExchange([outcome, outcome, outcome, outcome])
            let error = await failure { _ = try await service(exchange).metadata() }
            #expect(error?.isProtocolViolation == !isPassing, "\(String(describing: error))")
            #expect(exchange.requests.count == (isPassing ? 4 : 1))
        }
    }

    @Test("Cancelling ends the wait")
    func cancelling() async throws {
        let exchange = ScriptedExchange { _, _ in
            try? await Task.sleep(for: .seconds(3600))
            return .lost
        }
        let service = try service(exchange)
        let task = Task { await failure { _ = try await service.metadata() } }
        task.cancel()
        #expect(await task.value?.isCancelled == true)
        #expect(exchange.requests.count == 1)
    }

    @Test(
        "attack A9: a request that does something has a key of its own, kept when it is sent again; proofs are new each time"
    )
    func idempotency() async throws {
        let profiles = try TemporaryProfiles()
        let fake = FakeService()
        let exchange = ScriptedExchange { request, index in
            let outcome = fake.answer(request)
            // The answer to the first that has a nonce is lost.
            return index < 2 && request.path == "/v1/sessions" && (try? outcome.get().status) == 200 ? .lost : outcome
        }
        let account = try profiles.account(exchange)
        try await account.logIn(user: "alice", password: Secret("password"))
        let first = exchange.requests
        let keys = Set(first.compactMap { $0.header("Idempotency-Key") })
        #expect(keys.count == 1 && first.count == 3)
        #expect(fake.state.withLock { $0.access } == 1)
        try await account.logIn(user: "alice", password: Secret("password"))
        #expect(Set(exchange.requests.compactMap { $0.header("Idempotency-Key") }).count == 2)
        #expect(fake.state.withLock { $0.faults }.isEmpty)
    }

    @Test("A log-in is sent again once only after a lost connection, since each may cost an attempt")
    func costly() async throws {
        let profiles = try TemporaryProfiles()
        let exchange = ScriptedExchange { _, _ in .lost }
        let account = try profiles.account(exchange)
        await #expect(throws: ServiceError.self) { try await account.logIn(user: "alice", password: Secret("p")) }
        #expect(exchange.requests.count == 2)
        let absent = ScriptedExchange { _, _ in .unreachable }
        let other = try profiles.account(absent, name: "other")
        await #expect(throws: ServiceError.self) { try await other.logIn(user: "alice", password: Secret("p")) }
        #expect(absent.requests.count == 4)
    }

    @Test("A relying service's log-in whose answer is lost is begun anew, with another assertion")
    func clientCredentials() async throws {
        let exchange = ScriptedExchange { _, _ in .lost }
        let pem = try PrivateKey(generating: .es256).pem()
        let shop = try RelyingService(
            "shop", .key(pem: Secret(pem)), at: "https://sign.example", isBound: false, options: ServiceOptions(),
            surroundings: exchange.surroundings)
        await #expect(throws: ServiceError.self) { try await shop.sign(user: "alice", payload: "p", reason: "r") }
        #expect(exchange.requests.count == 3)
        #expect(Set(exchange.requests.map { $0.body }).count == 3)
    }
}
