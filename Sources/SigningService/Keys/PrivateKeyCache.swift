internal import CountersignKeys
internal import Storage
internal import Synchronization

/// Private keys that were opened once. Only the opening is spared: whether a key may sign is read anew in each
/// transaction.
final class PrivateKeyCache: Sendable {
    private let keys = Mutex<[String: PrivateKey]>([:])

    /// The private half of a key of the store.
    func key(of row: KeyRow, _ masterKey: AEADKey) throws -> PrivateKey {
        if let key = keys.withLock({ $0[row.kid] }) { return key }
        let key = try masterKey.open(row)
        keys.withLock { $0[row.kid] = key }
        return key
    }
}
