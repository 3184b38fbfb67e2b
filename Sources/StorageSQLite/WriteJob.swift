internal import Storage
internal import Synchronization

/// A closure that waits to be committed, whatever it returns.
protocol WriteJob: Sendable {
    /// Runs it and keeps what it returns.
    func run(on connection: any SQLConnection) throws

    /// Lets the caller go on: with what it returned where there is no failure.
    func finish(_ failure: (any Error)?)
}

/// A `WriteJob` with its type. It may run again: the last result counts.
final class PendingWrite<Value: Sendable>: WriteJob {
    private let body: @Sendable (any SQLConnection) throws -> Value
    private let continuation: CheckedContinuation<Value, any Error>
    private let value = Mutex<Value?>(nil)

    init(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value,
        _ continuation: CheckedContinuation<Value, any Error>
    ) {
        self.body = body
        self.continuation = continuation
    }

    func run(on connection: any SQLConnection) throws {
        let result = try body(connection)
        value.withLock { $0 = result }
    }

    func finish(_ failure: (any Error)?) {
        let value = value.withLock { $0 }
        if let value, failure == nil {
            continuation.resume(returning: value)
        } else {
            continuation.resume(throwing: failure ?? StorageError(.io, "the job did not run"))
        }
    }
}
