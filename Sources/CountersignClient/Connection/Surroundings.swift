internal import CountersignKeys
internal import Glibc
package import Outbound

/// What a client takes from outside: the network, the time, chance. Tests put their own in their place.
package struct Surroundings: Sendable {
    /// The network.
    package let exchange: any HTTPExchange
    /// The time of the wall, milliseconds since 1970.
    package let now: @Sendable () -> Int64
    /// Waits; ends early only where the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void
    /// A number of 0..<1, for the jitter of waits.
    package let chance: @Sendable () -> Double

    /// Surroundings.
    package init(
        exchange: any HTTPExchange, now: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Duration) async throws -> Void, chance: @escaping @Sendable () -> Double
    ) {
        self.exchange = exchange
        self.now = now
        self.sleep = sleep
        self.chance = chance
    }

    /// The real ones.
    init(_ options: ServiceOptions) throws(ServiceError) {
        do throws(OutboundError) {
            exchange = try PooledExchange(
                certificateAuthorities: options.certificateAuthorities, readTimeout: options.requestTimeout)
        } catch {
            throw ServiceError.local("\(error)")
        }
        now = {
            var time = timespec()
            unsafe clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        }
        sleep = { try await Task.sleep(for: $0) }
        chance = { Double.random(in: 0..<1) }
    }
}
