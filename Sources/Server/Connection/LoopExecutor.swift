internal import NIOCore
internal import Synchronization

/// Runs tasks on the thread of an event loop, so that a request is answered where its socket is read and written: no thread wakes
/// another between the two, and what many tasks wait for wakes the loop once.
final class LoopExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// Whether the loop was told.
        var isScheduled = false
    }

    private let loop: any EventLoop
    private let state = Mutex(State())

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLock { state in
            state.jobs.append(job)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { loop.execute { self.run() } }
    }

    /// Runs what is there. What comes meanwhile has its turn after the sockets.
    private func run() {
        let jobs = state.withLock { state in
            defer { state.jobs = [] }
            return state.jobs
        }
        for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
        let isMore = state.withLock { state in
            state.isScheduled = !state.jobs.isEmpty
            return state.isScheduled
        }
        if isMore { loop.execute { self.run() } }
    }
}
