internal import Signing
internal import Synchronization

/// Failures at the door by nobody whom we know: an unknown key, a code that is none. Each leaves its trace, but whoever floods the
/// door must not fill the disk: one audit row a minute says how many there were.
final class StrangerTally: Sendable {
    private struct Count {
        var writtenAt: Int64
        var skipped = 0
    }

    private static let interval: Int64 = 60_000
    private let counts = Mutex<[AuditEvent: Count]>([:])

    /// Counts a failure.
    ///
    /// - Returns: what the audit says of it and of those before it, or nil where it says nothing now.
    func note(_ event: AuditEvent, _ detail: String, at now: Int64) -> String? {
        counts.withLock { counts in
            if var count = counts[event], now >= count.writtenAt, now - count.writtenAt < Self.interval {
                count.skipped += 1
                counts[event] = count
                return nil
            }
            let skipped = counts[event]?.skipped ?? 0
            counts[event] = Count(writtenAt: now)
            return skipped == 0 ? detail : "\(detail); \(skipped) more since the last such entry"
        }
    }
}

extension SigningEngine {
    /// Leaves the trace of a failure by somebody whom we do not know.
    func noteStranger(_ event: AuditEvent, _ detail: String) async throws {
        guard let detail = strangerTally.note(event, detail, at: clock.now()) else { return }
        try await write { try $0.record(event, result: .authenticationFailed, detail: detail) }
    }
}
