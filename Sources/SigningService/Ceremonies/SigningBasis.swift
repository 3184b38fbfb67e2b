internal import Storage
internal import Synchronization

/// What a statement is signed by: who issues it, the key, whether level 0 is allowed, and the time that it has at least.
struct SigningBasis: Sendable {
    let issuer: String
    /// Nil where none is active.
    let key: OpenedKey?
    let isLevelZeroAllowed: Bool
    /// `Transaction.now` of the transaction that saw all this.
    let time: Int64
}

/// The store says something else now than what a statement was signed by: that one is thrown away.
struct BasisChanged: Error {}

/// What a transaction saw last. A hint, which spares level 0 its reads: by the time it is used the store may say something else, so
/// commit C compares. Only the opened private key is believed: that of an id never changes.
final class LastBasis: Sendable {
    private let last = Mutex<SigningBasis?>(nil)

    var value: SigningBasis? { last.withLock { $0 } }

    fileprivate func replace(_ basis: SigningBasis) { last.withLock { $0 = basis } }
}

extension SigningEngine {
    /// What the store says now.
    func basis() async throws -> SigningBasis {
        let (clock, masterKey, lastBasis) = (clock, masterKey, lastBasis)
        return try await database.read { connection in
            let transaction = try Transaction(connection, clock: clock)
            let key = try KeyRow.list(purpose: .sign, state: .active, on: connection).first.map { row in
                let known = lastBasis.value?.key
                return try known?.id == row.kid ? known : OpenedKey(row.kid, masterKey.open(row))
            }
            let basis = SigningBasis(
                issuer: try transaction.facts().issuer, key: key ?? nil,
                isLevelZeroAllowed: try transaction.settings().isLevelZeroAllowed, time: transaction.now)
            lastBasis.replace(basis)
            return basis
        }
    }
}
