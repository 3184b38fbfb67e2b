internal import Signing
internal import Synchronization

/// How many may do heavy work at once, and how many more may wait for it. No address has all places while another waits.
package final class WorkLimit: Sendable {
    private struct Waiting {
        let network: IPAddress
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var running = 0
        /// Whose work runs.
        var shares: [IPAddress: Int] = [:]
        var waiting: [Waiting] = []

        mutating func start(_ network: IPAddress) {
            running += 1
            shares[network, default: 0] += 1
        }

        mutating func end(_ network: IPAddress) {
            running -= 1
            let share = shares[network, default: 0]
            shares[network] = share > 1 ? share - 1 : nil
        }

        /// The one whose turn it is: the first of those with the least that runs.
        mutating func next() -> Waiting? {
            let shares = shares
            let index = waiting.indices.min {
                (shares[waiting[$0].network, default: 0], $0) < (shares[waiting[$1].network, default: 0], $1)
            }
            guard let index else { return nil }
            let next = waiting.remove(at: index)
            start(next.network)
            return next
        }
    }

    private let running: Int
    private let waiting: Int
    private let share: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - running: how many work at once.
    ///   - waiting: how many more wait; who comes then is refused.
    ///   - share: how many of those may be of one address.
    package init(running: Int, waiting: Int, share: Int) {
        self.running = max(1, running)
        self.waiting = max(0, waiting)
        self.share = max(0, share)
    }

    /// How many wait.
    package var queueLength: Int { state.withLock { $0.waiting.count } }

    /// Does the work when it is its turn.
    ///
    /// - Throws: `serverBusy` where too many wait already, and what the work throws.
    package func run<Value: Sendable>(from network: IPAddress, _ work: () async throws -> Value) async throws -> Value {
        let isIn = await withCheckedContinuation { (answer: CheckedContinuation<Bool, Never>) in enter(network, answer)
        }
        guard isIn else { throw Refusal(.serverBusy, .retryAfter(seconds: 1)) }
        defer { leave(network) }
        return try await work()
    }

    /// Resumes with whether it is the turn, as soon as that is known.
    private func enter(_ network: IPAddress, _ continuation: CheckedContinuation<Bool, Never>) {
        let isTurn: Bool? = state.withLock { state in
            if state.running < running {
                state.start(network)
                return true
            }
            guard state.waiting.count < waiting, state.waiting.count(where: { $0.network == network }) < share else {
                return false
            }
            state.waiting.append(Waiting(network: network, continuation: continuation))
            return nil
        }
        if let isTurn { continuation.resume(returning: isTurn) }
    }

    private func leave(_ network: IPAddress) {
        let next = state.withLock { state in
            state.end(network)
            return state.next()
        }
        next?.continuation.resume(returning: true)
    }
}
