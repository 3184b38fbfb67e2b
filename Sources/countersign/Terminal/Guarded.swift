import Glibc

/// A value under a mutex, with a condition to wait for: what worker threads and the main thread share.
@safe
final class Guarded<State>: @unchecked Sendable {
    // Both are C structures that must not move.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    init(_ state: State) {
        self.state = state
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Looks at the state or changes it, alone.
    func with<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Changes the state and wakes everybody who waits for a change.
    func change<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Waits until `body` returns something.
    func wait<Result>(for body: (inout State) -> Result?) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            unsafe pthread_cond_wait(changed, mutex)
        }
    }

    /// Waits until `body` returns something, at most about `milliseconds`; nil when the time is over.
    func wait<Result>(atMost milliseconds: Int64, for body: (inout State) -> Result?) -> Result? {
        let end = WallClock.milliseconds + milliseconds
        var limit = timespec(tv_sec: Int(end / 1000), tv_nsec: Int(end % 1000) * 1_000_000)
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            if unsafe pthread_cond_timedwait(changed, mutex, &limit) == ETIMEDOUT { return body(&state) }
        }
    }
}
