internal import Signing
internal import Synchronization

/// How many may do heavy work at once, and how many more may wait for it.
final class WorkLimit: Sendable {
    private struct State {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let running: Int
    private let waiting: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - running: how many work at once.
    ///   - waiting: how many more wait; who comes then is refused.
    init(running: Int, waiting: Int) {
        self.running = max(1, running)
        self.waiting = max(0, waiting)
    }

    /// How many wait.
    var queueLength: Int { state.withLock { $0.waiting.count } }

    /// Does the work when it is its turn.
    ///
    /// - Throws: `serverBusy` where too many wait already, and what the work throws.
    func run<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        try await enter()
        defer { leave() }
        return try await work()
    }

    private func enter() async throws {
        let isTurn: Bool? = state.withLock { state in
            if state.running < running {
                state.running += 1
                return true
            }
            return state.waiting.count < waiting ? false : nil
        }
        guard let isTurn else { throw Refusal(.serverBusy, .retryAfter(seconds: 1)) }
        guard !isTurn else { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.running < running else {
                    state.waiting.append(continuation)
                    return false
                }
                state.running += 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
