/// What is computed once for a key of which many signatures are to be checked: multiples of its point, with which one
/// check takes a fraction of the time. Threads share it.
package final class SignatureTable: Sendable {
    enum Multiples {
        case p256(P256Table)
    }

    let multiples: Multiples

    /// The table of a key; nil for algorithms that gain nothing by one, and where OpenSSL lacks what it takes.
    package init?(_ key: PublicKey) {
        switch (key.algorithm, key.components) {
        case (.es256, .ec(let x, let y)):
            guard let table = P256Table(x: x, y: y) else { return nil }
            multiples = .p256(table)
        default:
            return nil
        }
    }

    /// Whether keys of this algorithm may have a table at all.
    package static func exists(for algorithm: KeyAlgorithm) -> Bool {
        algorithm == .es256
    }
}
