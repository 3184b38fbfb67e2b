internal import CountersignKeys
internal import Storage
internal import Synchronization

/// The private key that signed last, open. Only the opening is spared: which key may sign is read anew in each transaction, and checked
/// once more in the one that records the statement.
final class PrivateKeyCache: Sendable {
    private let last = Mutex<(id: String, key: PrivateKey)?>(nil)

    /// The private half of a key of the store.
    func key(of row: KeyRow, _ masterKey: AEADKey) throws -> PrivateKey {
        if let last = last.withLock({ $0 }), last.id == row.kid { return last.key }
        let key = try masterKey.open(row)
        last.withLock { $0 = (row.kid, key) }
        return key
    }
}
