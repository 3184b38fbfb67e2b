internal import CountersignKeys
internal import CountersignVerifier
internal import Synchronization

/// A key whose private half was opened, with what it costs to get ready for a signature done once: that is a fifth of the signature.
final class OpenedKey: Sendable {
    /// A signer, made when it is first wanted. One signs at a time.
    private final class Slot: Sendable {
        /// Asked before the lock, which so is always free: to try one that is held is a system call.
        private let isTaken = Atomic<Bool>(false)
        private let signer = Mutex<StatementSigner?>(nil)

        /// - Returns: nil where somebody else has it.
        func withSigner<Signed: Sendable>(
            of half: PrivateKey, _ sign: (StatementSigner) throws -> Signed
        ) throws -> Signed? {
            guard !isTaken.exchange(true, ordering: .acquiring) else { return nil }
            defer { isTaken.store(false, ordering: .releasing) }
            return try signer.withLock { signer in
                let ready = signer ?? StatementSigner(half)
                signer = ready
                return try sign(ready)
            }
        }
    }

    /// The thumbprint.
    let id: String
    let half: PrivateKey
    /// As many as threads sign at once, as a rule.
    private let slots = [Slot(), Slot(), Slot(), Slot()]

    init(_ id: String, _ half: PrivateKey) {
        self.id = id
        self.half = half
    }

    /// Hands over a signer that nobody else has meanwhile.
    func withSigner<Signed: Sendable>(_ sign: (StatementSigner) throws -> Signed) throws -> Signed {
        for slot in slots {
            if let signed = try slot.withSigner(of: half, sign) { return signed }
        }
        return try sign(StatementSigner(half))
    }
}
