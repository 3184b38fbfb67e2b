import CountersignClient
import Outbound
import Signing
import Synchronization
import Wire

/// The network as a test wants it: each request is answered by a closure, and kept.
final class ScriptedExchange: HTTPExchange {
    typealias Outcome = Result<OutboundResponse, OutboundError>

    private struct State {
        var requests: [OutboundRequest] = []
        var pauses: [Duration] = []
        var now: Int64 = 1_800_000_000_000
    }

    private let state = Mutex(State())
    private let answer: @Sendable (OutboundRequest, Int) async -> Outcome

    /// - Parameter answer: is given the request and how many came before it.
    init(_ answer: @escaping @Sendable (OutboundRequest, Int) async -> Outcome) { self.answer = answer }

    /// Answers in this order; then the connection is lost.
    convenience init(_ outcomes: [Outcome]) {
        self.init { _, index in index < outcomes.count ? outcomes[index] : .lost }
    }

    func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        let index = state.withLock { state in
            state.requests.append(request)
            return state.requests.count - 1
        }
        return try await answer(request, index).get()
    }

    var requests: [OutboundRequest] { state.withLock { $0.requests } }
    var pauses: [Duration] { state.withLock { $0.pauses } }
    var now: Int64 { state.withLock { $0.now } }
    func advance(milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

    /// The client's surroundings: waits pass at once, and the clock with them.
    var surroundings: Surroundings {
        Surroundings(
            exchange: self, now: { self.now },
            sleep: { duration in
                try Task.checkCancellation()
                self.state.withLock { state in
                    state.pauses.append(duration)
                    state.now +=
                        duration.components.seconds * 1000
                        + duration.components.attoseconds / 1_000_000_000_000_000
                }
                await Task.yield()
            }, chance: { 0.5 })
    }
}

extension ScriptedExchange.Outcome {
    static let lost = Self.failure(OutboundError(.connectionLost, "the connection was lost"))
    static let unreachable = Self.failure(OutboundError(.unreachable, "no connection"))

    static func json(_ status: Int, _ message: some WireMessage, _ headers: [(String, String)] = []) -> Self {
        .success(
            OutboundResponse(status: status, headers: headers.map { (name: $0.0, value: $0.1) }, body: message.json))
    }

    static func text(_ status: Int, _ text: String = "") -> Self {
        .success(OutboundResponse(status: status, headers: [("Content-Type", "text/html")], body: Array(text.utf8)))
    }

    static func refused(_ refusal: Refusal, _ headers: [(String, String)] = []) -> Self {
        json(refusal.httpStatus, Problem(refusal), headers + [("Content-Type", "application/problem+json")])
    }

    static func nonceNeeded(_ nonce: String) -> Self { refused(Refusal(.nonceNeeded), [("DPoP-Nonce", nonce)]) }
}

extension OutboundRequest {
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    var path: String { url.replacing("https://sign.example", with: "") }
}
