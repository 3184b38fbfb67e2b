import Glibc

/// Work that one thread does again and again. It is made on its thread and never leaves it.
protocol ThreadWork: AnyObject {
    /// Does it at least `count` times and says how often: what is done in blocks ends with a whole one.
    func run(_ count: Int) throws -> Int

    /// Verifies everything that the last run made. It is not measured.
    func check() throws
}

/// Threads that do the same work at the same time, each with contexts of its own. They rest between the runs, so that what they keep is
/// made once.
final class Crew: Side {
    private enum Order { case begin, run(Int), check, leave }

    private struct State {
        var order = Order.begin
        /// Changes with each order.
        var turn = 0
        var working = 0
        var count = 0
        var cpu = 0.0
        var end = 0.0
        var failure: (any Error)?
    }

    private let threads: Int
    private let clock: BenchClock
    private let state = Guarded(State())

    /// Starts the threads and waits until each has made its work.
    ///
    /// - Parameter clock: what their time is counted by; else CPU time for one, time on the wall for more.
    init(threads: Int, by clock: BenchClock? = nil, _ make: @escaping @Sendable () throws -> any ThreadWork) throws {
        self.threads = threads
        self.clock = clock ?? (threads == 1 ? .cpu : .wall)
        state.with { $0.working = threads }
        let state = state
        let started = (0..<threads).count { _ in WorkerThread.start { Self.work(state, make) } }
        state.change { $0.working -= threads - started }
        guard started == threads else {
            leave()
            throw Failure(.unavailable, "the system has no \(threads) threads to give; give fewer by --jobs")
        }
        do { try wait() } catch {
            leave()
            throw error
        }
    }

    deinit { leave() }

    func run(_ count: Int) throws -> Slice {
        let start = WallClock.monotonic
        try give(.run((count + threads - 1) / threads))
        return state.with { state in
            Slice(count: state.count, seconds: clock == .cpu ? state.cpu : state.end - start)
        }
    }

    func check() throws { try give(.check) }

    private func give(_ order: Order) throws {
        state.change { state in
            (state.order, state.working, state.count, state.cpu) = (order, threads, 0, 0)
            state.turn += 1
        }
        try wait()
    }

    private func wait() throws {
        try state.wait { state -> Result<Void, any Error>? in
            guard state.working == 0 else { return nil }
            return state.failure.map { .failure($0) } ?? .success(())
        }.get()
    }

    private func leave() {
        state.change { state in
            state.order = .leave
            state.turn += 1
        }
    }

    private static func work(_ state: Guarded<State>, _ make: () throws -> any ThreadWork) {
        var work: (any ThreadWork)?
        var turn = 0
        var order = Order.begin
        while true {
            var (count, cpu, failure): (Int, Double, (any Error)?) = (0, 0, nil)
            do {
                switch order {
                case .begin: work = try make()
                case .run(let share):
                    let before = BenchClock.threadTime
                    count = try work?.run(share) ?? 0
                    cpu = BenchClock.threadTime - before
                case .check: try work?.check()
                case .leave: return
                }
            } catch { failure = error }
            let end = WallClock.monotonic
            state.change { state in
                state.count += count
                state.cpu += cpu
                state.end = end
                state.failure = state.failure ?? failure
                state.working -= 1
            }
            (order, turn) = state.wait { $0.turn == turn ? nil : ($0.order, $0.turn) }
        }
    }
}

/// What time is counted.
enum BenchClock: String {
    /// That of the thread on a processor: what others do on the machine does not count.
    case cpu
    /// That on the wall: for the work of several threads, which waits for some of them.
    case wall

    /// Seconds that this thread was on a processor.
    static var threadTime: Double {
        var now = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
