internal import CountersignVerifier
internal import Synchronization

/// The keys of services, as they were last fetched. They are fetched again for what they do not vouch for, but not for every push that
/// somebody forges.
final class KnownKeys: Sendable {
    private struct Entry {
        let trust: TrustStore
        let fetchedAt: Int64
    }

    /// How long after a fetch there is no other, in milliseconds.
    private static let pause: Int64 = 60_000

    private let entries = Mutex<[String: Entry]>([:])

    /// The keys of a service that were fetched before; nil where they were not.
    func known(of origin: ServiceOrigin) -> TrustStore? { entries.withLock { $0[origin.text]?.trust } }

    /// The keys of a service as they are now; nil where they were fetched a moment ago.
    func fetched(_ connection: ServiceConnection) async throws(ServiceError) -> TrustStore? {
        let (origin, now) = (connection.origin.text, connection.surroundings.now())
        let last = entries.withLock { $0[origin]?.fetchedAt }
        if let last, (last...last + Self.pause).contains(now) { return nil }
        let trust = try await CountersignService(connection: connection).trust()
        entries.withLock { $0[origin] = Entry(trust: trust, fetchedAt: now) }
        return trust
    }
}
