import CountersignClient
import Outbound
import Signing
import Synchronization
import Testing
import Wire

@Suite("A new device, and a service that goes away")
struct ActivationWaitTests {
    private static let id = "00000000-0000-4000-8000-000000000001"

    private static func activation(_ state: String, _ seconds: Int64 = 60) -> ScriptedExchange.Outcome {
        .json(
            200,
            ActivationMessage(
                id: id, state: state, options: ["verify"], matchCode: state == "waiting" ? "42" : nil,
                expiresIn: seconds))
    }

    /// An activation that waits, where looking for it leads to these, and then to the last of them for ever.
    private func waiting(
        _ looks: [ScriptedExchange.Outcome], finish: [ScriptedExchange.Outcome] = []
    ) async throws -> (DeviceActivation, ScriptedExchange) {
        let count = Mutex(0)
        let exchange = ScriptedExchange { request, _ in
            let isFinish = request.path.hasSuffix("/finish")
            guard request.method == "GET" || isFinish else { return Self.activation("waiting") }
            let outcomes = isFinish ? finish : looks
            let index = count.withLock { count in
                count += 1
                return count - 1
            }
            return outcomes[min(index, outcomes.count - 1)]
        }
        let profiles = try TemporaryProfiles()
        var options = ServiceOptions()
        options.attempts = 1
        let account = try profiles.account(exchange, options: options)
        return (try await account.beginActivation(user: "alice", deviceName: "Tablet"), exchange)
    }

    @Test(
        "A09: a service that comes back within the activation's time is asked again, less and less often, and said once to be away"
    )
    func back() async throws {
        let (activation, exchange) = try await waiting(
            [
                .unreachable, .lost, .text(502), .refused(Refusal(.serverStopping)), .unreachable,
                Self.activation("approved"),
            ])
        let troubles = Mutex(0)
        let decided = try await activation.decided { _ in troubles.withLock { $0 += 1 } }
        #expect(decided.state == .approved)
        #expect(troubles.withLock { $0 } == 1)
        #expect(exchange.pauses == [1, 2, 4, 8, 8].map { Duration.seconds($0) })
    }

    @Test("A09: away twice is said twice; what a refusal says for good ends it")
    func twice() async throws {
        let (activation, _) = try await waiting(
            [.lost, Self.activation("waiting", 50), .lost, Self.activation("rejected")])
        let troubles = Mutex(0)
        #expect(try await activation.decided { _ in troubles.withLock { $0 += 1 } }.state == .rejected)
        #expect(troubles.withLock { $0 } == 2)
        let (gone, _) = try await waiting([.refused(Refusal(.activationUnknown))])
        #expect(await failure { _ = try await gone.decided() }?.refusal?.code == 1612)
    }

    @Test(
        "A09: a service that stays away is given up when the activation's time is over; one that is back then says that it is"
    )
    func over() async throws {
        let (activation, exchange) = try await waiting([.unreachable])
        let began = exchange.now
        #expect(await failure { _ = try await activation.decided() }?.isUnreachable == true)
        #expect((60_000..<70_000).contains(exchange.now - began))
        let (late, clock) = try await waiting([.unreachable, .unreachable, Self.activation("expired", 0)])
        clock.advance(milliseconds: 57_000)
        #expect(try await late.decided().state == .expired)
    }

    @Test("A10: a password that could not be sent is sent when the service is back; one that may have arrived is not")
    func finishing() async throws {
        let (activation, exchange) = try await waiting(
            [], finish: [.unreachable, .unreachable, .refused(Refusal(.authenticationFailed))])
        let error = await failure { try await activation.finish(password: Secret("password")) }
        #expect(error?.refusal?.code == 102)
        #expect(exchange.pauses == [.seconds(1), .seconds(2)])
        let (lost, calls) = try await waiting([], finish: [.lost, .refused(Refusal(.authenticationFailed))])
        #expect(await failure { try await lost.finish(password: Secret("password")) }?.isUnanswered == true)
        #expect(calls.pauses.isEmpty)
    }
}
