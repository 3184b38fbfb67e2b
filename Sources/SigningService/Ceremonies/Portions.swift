internal import Dispatch
internal import Synchronization

/// Work in portions. Each is done once, by whoever comes first; who wants the value of one does others meanwhile, instead of waiting for a
/// thread that is free. All or nothing: where one portion fails, every value does.
package final class Portions<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value?]
        /// The first that nobody has begun.
        var next = 0
        var failure: (any Error)?
        /// How many wait for another thread to end a portion.
        var waiting = 0
    }

    private enum Step {
        case done(Value)
        case todo(Int)
        case wait
        case over
    }

    /// How many there are.
    package let count: Int
    private let work: @Sendable (Int) throws -> Value
    private let state: Mutex<State>
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter work: does one of them, from 0.
    package init(_ count: Int, _ work: @escaping @Sendable (Int) throws -> Value) {
        self.count = count
        self.work = work
        state = Mutex(State(values: Array(repeating: nil, count: count)))
    }

    /// Has the portions done beside the caller: the first of them by as many threads as are free, the rest by one fewer, which is for who
    /// wants the values. What is not begun yet when nobody wants them any more is left.
    ///
    /// - Parameters:
    ///   - first: after how many, at least, it returns.
    ///   - processors: how many there are.
    package func begin(returningAfter first: Int, processors: Int) async {
        let tasks = (0..<min(first, count)).map { _ in Task { [weak self] in _ = self?.doNext() } }
        // Behind those, so that no processor is idle while the last of them is done.
        for _ in 0..<max(1, processors - 1) {
            Task { [weak self] in
                while self?.doNext() == true { await Task.yield() }
            }
        }
        for task in tasks { await task.value }
    }

    /// Does the next that nobody has begun.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    package func doNext() -> Bool {
        guard case .todo(let number) = step(nil) else { return false }
        end(number)
        return true
    }

    /// The value of a portion. Blocks, for no longer than one portion takes, where all others are done or begun.
    ///
    /// - Throws: what the first that failed threw.
    package func value(_ number: Int) throws -> Value {
        while true {
            switch step(number) {
            case .done(let value): return value
            case .todo(let number): end(number)
            case .wait: ended.wait()
            case .over: break
            }
            if let failure = state.withLock({ $0.failure }) { throw failure }
        }
    }

    private func step(_ wanted: Int?) -> Step {
        state.withLock { state in
            if state.failure != nil { return .over }
            if let wanted, let value = state.values[wanted] { return .done(value) }
            if state.next < count {
                defer { state.next += 1 }
                return .todo(state.next)
            }
            if wanted == nil { return .over }
            state.waiting += 1
            return .wait
        }
    }

    private func end(_ number: Int) {
        let result = Result { try work(number) }
        let waiting = state.withLock { state in
            switch result {
            case .success(let value): state.values[number] = value
            case .failure(let error): state.failure = state.failure ?? error
            }
            defer { state.waiting = 0 }
            return state.waiting
        }
        for _ in 0..<waiting { ended.signal() }
    }
}
