/// Runs asynchronous work to its end while this thread waits. The commands are straight lines on the main thread, where
/// a prompt may block; what the engine does runs on Swift's own threads, where nothing may.
func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Guarded<Result<Value, any Error>?>(nil)
    Task.detached {
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
        result.change { $0 = outcome }
    }
    return try result.wait { $0 }.get()
}

/// What came of work that a signal may end.
enum Interruptible<Value: Sendable>: Sendable {
    /// It came to its end; a signal may have arrived meanwhile.
    case ended(Value, signal: Int32?)
    /// A signal came first. Whether the work had an effect is not known.
    case interrupted(Int32)
}

/// The same, but the signals that end a process end the waiting instead: the work is cancelled, and the caller puts its
/// affairs in order before the process dies by the signal.
func waitUnlessSignalled<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) throws -> Interruptible<Value> {
    let result = Guarded<Result<Value, any Error>?>(nil)
    _ = Signals.hold(Signals.ending)
    let task = Task.detached {
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
        result.change { $0 = outcome }
    }
    while true {
        if let outcome = result.wait(atMost: 50, for: { $0 }) {
            let signal = Signals.release(Signals.ending)
            switch outcome {
            case .success(let value): return .ended(value, signal: signal)
            case .failure(let error):
                if let signal { return .interrupted(signal) }
                throw error
            }
        }
        if let signal = Signals.taken() {
            task.cancel()
            _ = Signals.release(Signals.ending)
            return .interrupted(signal)
        }
    }
}

/// Runs work that should not keep the process from ending; it is left behind when the time, in milliseconds, is over.
func waitFor(atMost milliseconds: Int64, _ work: @escaping @Sendable () async throws -> Void) {
    let isDone = Guarded(false)
    Task.detached {
        try? await work()
        isDone.change { $0 = true }
    }
    _ = isDone.wait(atMost: milliseconds) { $0 ? true : nil }
}
