internal import CountersignKeys
internal import CountersignVerifier
internal import Synchronization

/// A key whose private half was opened, with what it costs to get ready for a signature done once: that is a fifth of the signature.
final class OpenedKey: Sendable {
    /// A signer, made when it is first wanted. One signs at a time.
    private final class Slot: Sendable {
        let signer = Mutex<StatementSigner?>(nil)
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
            let signed = try slot.signer.withLockIfAvailable { signer in
                let ready = signer ?? StatementSigner(half)
                signer = ready
                return try sign(ready)
            }
            if let signed { return signed }
        }
        return try sign(StatementSigner(half))
    }
}
