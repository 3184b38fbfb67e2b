internal import CountersignVerifier
internal import Synchronization

/// The keys of services, as they were last fetched. They are fetched anew, once, for a key that is not among them, and then not for a
/// while: whoever forges pushes makes nobody ask the service for each.
final class KnownKeys: Sendable {
    private struct Entry {
        var trust: TrustStore
        /// When they were last fetched anew, milliseconds since 1970; nil: never.
        var renewedAt: Int64?
    }

    /// How long after the keys were fetched anew they are not fetched again, in milliseconds.
    private static let pause: Int64 = 10_000

    private let entries = Mutex<[String: Entry]>([:])

    /// The keys of a service that were fetched before; nil where they were not.
    func known(of origin: ServiceOrigin) -> TrustStore? { entries.withLock { $0[origin.text]?.trust } }

    /// The keys of a service, fetched for the first time.
    func fetched(_ connection: ServiceConnection) async throws(ServiceError) -> TrustStore {
        let trust = try await CountersignService(connection: connection).trust()
        let origin = connection.origin.text
        entries.withLock { $0[origin] = Entry(trust: trust, renewedAt: $0[origin]?.renewedAt) }
        return trust
    }

    /// The keys of a service as they are now; nil where they were fetched anew a moment ago.
    func renewed(_ connection: ServiceConnection) async throws(ServiceError) -> TrustStore? {
        let (origin, now) = (connection.origin.text, connection.surroundings.now())
        let (mayFetch, before) = entries.withLock { entries -> (Bool, Int64?) in
            let last = entries[origin]?.renewedAt
            // By a clock that was set back in between it is not a moment ago.
            if let last, (last..<last + Self.pause).contains(now) { return (false, last) }
            entries[origin]?.renewedAt = now
            return (true, last)
        }
        guard mayFetch else { return nil }
        do throws(ServiceError) { return try await fetched(connection) } catch {
            // It is no answer that they could not be had.
            entries.withLock { $0[origin]?.renewedAt = before }
            throw error
        }
    }
}
