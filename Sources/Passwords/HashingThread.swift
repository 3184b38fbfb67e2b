internal import Glibc

/// A thread of its own for what takes long: the cooperative pool has one a core, and all tasks share it.
enum HashingThread {
    private final class Work {
        let niceness: Int32
        let body: @Sendable () -> Void

        init(_ niceness: Int32, _ body: @escaping @Sendable () -> Void) {
            self.niceness = niceness
            self.body = body
        }

        func run() {
            // On Linux this is the thread's own. Where it fails the work is only less polite.
            if niceness > 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
            body()
        }
    }

    /// Runs `body` on a new thread, which ends with it.
    ///
    /// - Parameter niceness: how far it stands back for others where processors are short, 0 to 19.
    /// - Returns: false where the system has no thread to give; then `body` does not run.
    static func start(niceness: Int32, _ body: @escaping @Sendable () -> Void) -> Bool {
        let work = unsafe Unmanaged.passRetained(Work(niceness, body))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
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
