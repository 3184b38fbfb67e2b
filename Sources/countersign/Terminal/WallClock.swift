import Glibc

/// The one place where the command line reads the time of day.
enum WallClock {
    /// Milliseconds since 1970.
    static var milliseconds: Int64 {
        let now = read(CLOCK_REALTIME)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// Seconds since 1970.
    static var seconds: Int64 { Int64(read(CLOCK_REALTIME).tv_sec) }

    /// Seconds since some moment, never set back: for durations.
    static var monotonic: Double {
        let now = read(CLOCK_MONOTONIC)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var now = timespec()
        unsafe clock_gettime(clock, &now)
        return now
    }
}
