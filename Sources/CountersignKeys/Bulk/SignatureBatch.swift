/// Signatures that are checked together, on one thread. Messages are hashed as they come, so nobody has to keep them.
package final class SignatureBatch {
    /// How many are worth being checked together: what is shared costs little then.
    package static let capacity = 512

    /// The bytes of an entry: a number that stands for the message, 32 bytes, and the signature.
    private static let entryCount = 96
    /// The bytes of a signature.
    package static let signatureCount = 64

    private lazy var sha256 = MessageDigest(.sha256)
    private lazy var sha512 = MessageDigest(.sha512)
    private lazy var p256 = P256Table.Workspace()
    private var entries: [UInt8] = []
    /// That of each one's key.
    private var tables: [SignatureTable] = []

    /// An empty batch.
    package init() {}

    /// How many signatures are in it.
    package var count: Int { tables.count }

    /// Adds a signature over a message.
    ///
    /// - Parameter table: that of the key.
    /// - Returns: false where it has not the length of one; then it is not added, and wrong.
    package func append(_ signature: Span<UInt8>, for message: Span<UInt8>, with table: SignatureTable) -> Bool {
        guard signature.count == Self.signatureCount else { return false }
        let isHashed =
            switch table.multiples {
            case .p256: appendHash(of: message)
            case .ed25519(let table): table.appendChallenge(of: signature, over: message, to: &entries, with: sha512)
            }
        guard isHashed else { return false }
        for index in signature.indices { entries.append(signature[index]) }
        tables.append(table)
        return true
    }

    private func appendHash(of message: Span<UInt8>) -> Bool {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { hash in
            let isHashed = unsafe message.withUnsafeBufferPointer { message in
                guard let start = hash.baseAddress else { return false }
                return unsafe sha256.hash(message, into: start)
            }
            if isHashed { unsafe entries.append(contentsOf: hash) }
            return isHashed
        }
    }

    private func entry(at place: Int) -> ArraySlice<UInt8> {
        entries[(place * Self.entryCount)..<((place + 1) * Self.entryCount)]
    }

    /// Some of the signatures, which are computed together.
    private struct Group<Table> {
        var places: [Int] = []
        var entries: [UInt8] = []
        var tables: [Table] = []

        mutating func append(_ place: Int, _ entry: ArraySlice<UInt8>, _ table: Table) {
            places.append(place)
            entries.append(contentsOf: entry)
            tables.append(table)
        }
    }

    /// Which of them are right, in order. What is right is right by the equation of the algorithm; of what is wrong,
    /// ``SignatureVerifier`` should be asked before anybody is told.
    package func check() -> [Bool] {
        // Those of P-256 share inversions whatever their keys are, those of Ed25519 a table.
        var p256s = Group<P256Table>()
        var ed25519s: [Swift.ObjectIdentifier: Group<Ed25519Table>] = [:]
        for (place, table) in tables.enumerated() {
            switch table.multiples {
            case .p256(let table): p256s.append(place, entry(at: place), table)
            case .ed25519(let table):
                ed25519s[Swift.ObjectIdentifier(table), default: Group()].append(place, entry(at: place), table)
            }
        }
        var answers = [Bool](repeating: false, count: count)
        if !p256s.places.isEmpty, let p256 {
            for (place, answer) in zip(p256s.places, p256.check(p256s.entries, of: p256s.tables)) {
                answers[place] = answer
            }
        }
        for group in ed25519s.values {
            guard let table = group.tables.first else { continue }
            for (place, answer) in zip(group.places, table.check(group.entries)) { answers[place] = answer }
        }
        return answers
    }

    /// Takes all of them out.
    package func removeAll() {
        entries.removeAll(keepingCapacity: true)
        tables.removeAll(keepingCapacity: true)
    }
}
