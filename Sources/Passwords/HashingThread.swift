internal import Glibc

/// A thread of its own for what takes long: the cooperative pool has one a core, and all tasks share it.
enum HashingThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread, which ends with it.
    ///
    /// - Returns: false where the system has no thread to give; then `body` does not run.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = unsafe Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                }
                return nil
            }, unsafe work.toOpaque())
        guard status == 0 else {
            unsafe work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
