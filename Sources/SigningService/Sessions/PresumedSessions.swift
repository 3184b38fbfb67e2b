package import Sessions
internal import Signing
internal import Storage
internal import Synchronization

/// Bearer sessions that were there a moment ago. Nothing may be done for one of them unless the transaction that does it makes sure
/// that it is still there: so a relying service that signs a lot is not looked up twice for each statement.
final class PresumedSessions: Sendable {
    private struct Entry {
        let session: Session
        let seenAt: Int64
    }

    private static let limit = 1_024
    private let entries = Mutex<[[UInt8]: Entry]>([:])

    /// Remembers what a transaction saw.
    func remember(_ session: Session, _ access: [UInt8], at now: Int64) {
        entries.withLock { entries in
            if entries.count >= Self.limit { entries = [:] }
            entries[access] = Entry(session: session, seenAt: now)
        }
    }

    /// What was seen less than `life` milliseconds before now.
    fileprivate func find(_ access: [UInt8], life: Int64, at now: Int64) -> Session? {
        entries.withLock { $0[access] }.flatMap { now.saturatingAdd(-life) < $0.seenAt ? $0.session : nil }
    }
}

extension SigningEngine {
    /// A bearer session that was seen a moment ago, and may be over by now; nil where none was.
    ///
    /// - Returns: the session, for `start(as:confirming:)` alone, and the hash of its token.
    package func presumedSession(_ access: SessionToken) -> (session: Session, access: [UInt8])? {
        guard access.kind == .access else { return nil }
        let hash = access.hash
        return presumedSessions.find(hash, life: Self.noteInterval, at: clock.now()).map { ($0, hash) }
    }
}

extension Transaction {
    /// Makes sure that a session that was presumed is there, and its token good.
    ///
    /// - Parameter access: the hash of its token; nil where it was looked up.
    /// - Throws: `tokenInvalid`.
    func confirm(_ session: String, _ access: [UInt8]?) throws {
        guard let access else { return }
        guard try SessionRow.isAlive(session, access: access, at: now, on: connection) else {
            throw Refusal(.tokenInvalid)
        }
    }
}
