internal import Glibc

/// The time, and how to let it pass. Passed in, so that tests need not wait.
package struct EngineClock: Sendable {
    /// Milliseconds since 1970.
    package let now: @Sendable () -> Int64
    /// Waits so many milliseconds, or throws when the task is cancelled.
    package let sleep: @Sendable (Int64) async throws -> Void

    /// A clock from its two halves.
    package init(
        now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (Int64) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The machine's clock.
    package static let system = EngineClock(
        now: {
            var time = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        },
        sleep: { try await Task.sleep(for: .milliseconds($0)) })
}
