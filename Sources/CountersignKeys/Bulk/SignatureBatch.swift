/// Signatures of one key that are checked together, on one thread. Messages are hashed as they come, so nobody has to keep
/// them.
package final class SignatureBatch {
    /// How many are worth being checked together: what is shared costs little then.
    package static let capacity = 256

    /// What a thread computes with, for the batches of all its keys.
    package final class Workspace {
        fileprivate lazy var sha256 = MessageDigest(.sha256)
        fileprivate lazy var sha512 = MessageDigest(.sha512)
        fileprivate lazy var p256 = P256Table.Workspace()

        /// A workspace for one thread.
        package init() {}
    }

    /// The bytes of an entry: a number that stands for the message, 32 bytes, and the signature.
    private static let entryCount = 96
    private static let signatureCount = 64

    private let table: SignatureTable
    private let workspace: Workspace
    private var entries: [UInt8] = []

    /// An empty batch.
    package init(_ table: SignatureTable, _ workspace: Workspace) {
        self.table = table
        self.workspace = workspace
    }

    /// How many signatures are in it.
    package var count: Int { entries.count / Self.entryCount }

    /// Adds a signature over a message.
    ///
    /// - Returns: false where it has not the length of one; then it is not added, and wrong.
    package func append(_ signature: Span<UInt8>, for message: Span<UInt8>) -> Bool {
        guard signature.count == Self.signatureCount else { return false }
        let isHashed =
            switch table.multiples {
            case .p256: appendHash(of: message)
            case .ed25519(let table):
                table.appendChallenge(of: signature, over: message, to: &entries, with: workspace.sha512)
            }
        guard isHashed else { return false }
        for index in signature.indices { entries.append(signature[index]) }
        return true
    }

    private func appendHash(of message: Span<UInt8>) -> Bool {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { hash in
            let isHashed = unsafe message.withUnsafeBufferPointer { message in
                guard let start = hash.baseAddress else { return false }
                return unsafe workspace.sha256.hash(message, into: start)
            }
            if isHashed { unsafe entries.append(contentsOf: hash) }
            return isHashed
        }
    }

    /// The signature at a place, in the order in which they were added.
    package func signature(at place: Int) -> [UInt8] {
        Array(entries[(place * Self.entryCount + 32)..<((place + 1) * Self.entryCount)])
    }

    /// Which of them are right, in order. What is right is right by the equation of the algorithm; of what is wrong,
    /// ``SignatureVerifier`` should be asked before anybody is told.
    package func check() -> [Bool] {
        switch table.multiples {
        case .p256(let table):
            guard let workspace = workspace.p256 else { return Array(repeating: false, count: count) }
            return table.check(entries, with: workspace)
        case .ed25519(let table): return table.check(entries)
        }
    }

    /// Takes all of them out.
    package func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }
}
