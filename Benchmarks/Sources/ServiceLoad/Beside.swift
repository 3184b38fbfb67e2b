import Foundation

/// Work on a thread of its own while something else is measured.
final class Beside<Result>: @unchecked Sendable {
    private var result: Swift.Result<Result, any Error>?
    private let done = DispatchSemaphore(value: 0)

    init(_ work: @escaping () throws -> Result) {
        // Nobody but the thread has it until it is done.
        nonisolated(unsafe) let work = work
        Thread.detachNewThread { [self] in
            result = Swift.Result { try work() }
            done.signal()
        }
    }

    /// Waits for it.
    func get() throws -> Result {
        done.wait()
        guard let result else { throw Fault("no result") }
        return try result.get()
    }
}
