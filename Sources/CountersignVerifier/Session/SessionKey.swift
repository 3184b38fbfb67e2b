internal import CountersignKeys

/// A key that statements of a session named.
final class SessionKey {
    /// A statement whose signature is in the batch.
    struct Waiting {
        /// Its place among the verdicts.
        let index: Int
        let statement: UnverifiedStatement
        /// Where in the buffer lies what was signed.
        let signingInput: Range<Int>
    }

    let trusted: TrustedKey
    let signatures: SignatureVerifier
    /// What waits for ``batch``, in its order.
    var waiting: [Waiting] = []
    /// Its signatures that are checked together; held only within a call, so that a table nobody uses can go.
    private(set) var batch: SignatureBatch?

    let id: String
    /// Signatures checked one by one that the tables have not been told of.
    private var singles = 0
    private var hasAsked = false

    init(_ trusted: TrustedKey, id: String) {
        self.trusted = trusted
        self.id = id
        signatures = trusted.key.makeVerifier()
    }

    /// The batch for the next signature of this key, or nil where it is to be checked alone. Asks the tables, which threads
    /// share, once in a while.
    func batch(_ tables: KeyTables, _ workspace: SignatureBatch.Workspace) -> SignatureBatch? {
        if let batch { return batch }
        guard SignatureTable.worth(for: trusted.key.algorithm) != nil else { return nil }
        if !hasAsked || singles >= Self.interval {
            if let table = tables.table(of: trusted.key, id: id, after: singles) {
                batch = SignatureBatch(table, workspace)
            }
            singles = 0
            hasAsked = true
        }
        if batch == nil { singles += 1 }
        return batch
    }

    /// Gives the table back: the next call asks for it again.
    func endBatch() {
        batch = nil
        hasAsked = false
    }

    /// How many are checked alone between two questions.
    private static let interval = 64
}
