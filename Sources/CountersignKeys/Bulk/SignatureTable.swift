/// What is computed once for a key of which many signatures are to be checked: multiples of its point, with which one
/// check takes a fraction of the time. Threads share it.
package final class SignatureTable: Sendable {
    enum Multiples {
        case p256(P256Table)
        case ed25519(Ed25519Table)
    }

    let multiples: Multiples

    /// The table of a key; nil for algorithms that gain nothing by one, and where OpenSSL lacks what it takes.
    package init?(_ key: PublicKey) {
        switch (key.algorithm, key.components) {
        case (.es256, .ec(let x, let y)):
            guard let table = P256Table(x: x, y: y) else { return nil }
            multiples = .p256(table)
        case (.edDSA, .okp(let x)):
            guard let table = Ed25519Table(x) else { return nil }
            multiples = .ed25519(table)
        default:
            return nil
        }
    }

    /// For how many signatures of a key its table is made; nil where keys of this algorithm have none.
    ///
    /// A table costs what it saves on some 18 signatures of P-256, or some 20 of Ed25519. A key that signed half as many
    /// of a file will most often sign more of it.
    package static func worth(for algorithm: KeyAlgorithm) -> Int? {
        switch algorithm {
        case .es256, .edDSA: 10
        default: nil
        }
    }
}
