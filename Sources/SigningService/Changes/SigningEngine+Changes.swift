internal import CountersignVerifier
package import Sessions
internal import Signing
internal import Storage

extension SigningEngine {
    /// Makes sure that a session has not ended since it was looked up: for whoever answers long after the question.
    ///
    /// - Throws: `tokenInvalid`.
    package func checkAlive(_ session: Session) async throws {
        let clock = clock
        try await database.read { try Transaction($0, clock: clock).checkAlive(session) }
    }

    /// Wakes those who wait for what other processes do in the same store, until the task is cancelled. It looks once a second.
    package func watchOthers() async {
        var place: Int64?
        while !Task.isCancelled {
            // A store that cannot be read now is read the next time.
            if let next = try? await tellOfOthers(since: place) { place = next }
            do { try await clock.sleep(1000) } catch { return }
        }
    }

    /// Wakes those who watch a person of whom something is recorded behind a place of the audit; nil: nobody.
    ///
    /// - Returns: the newest place.
    package func tellOfOthers(since place: Int64?) async throws -> Int64 {
        let (newest, names) = try await database.read { connection in
            let newest = try AuditRow.newestPlace(on: connection)
            guard let place, place < newest else { return (newest, [String]()) }
            return (newest, try AuditRow.users(after: place, on: connection))
        }
        changes.tell(Set(names.compactMap { UserName($0) }.map { .person($0) }))
        return newest
    }
}
