internal import Signing
internal import Synchronization

/// How many ask at once for one user, whether they are being checked or wait for it: the places of requests are for all.
final class Crowd: Sendable {
    /// The most for one user at one door.
    static let limit = 64

    private let present = Mutex<[String: Int]>([:])

    /// Lets somebody in who is to `leave`.
    ///
    /// - Throws: `authenticationBusy`.
    func enter(_ owner: String) throws(Refusal) {
        let isIn = present.withLock { present in
            guard present[owner, default: 0] < Self.limit else { return false }
            present[owner, default: 0] += 1
            return true
        }
        guard isIn else { throw Refusal(.authenticationBusy) }
    }

    /// Makes room for another.
    func leave(_ owner: String) {
        present.withLock { present in
            guard let count = present[owner] else { return }
            present[owner] = count > 1 ? count - 1 : nil
        }
    }
}
