/// What is known of key ids: sorted once, searched by halves.
///
/// Not a dictionary: the first type of a process that has to be hashable makes the runtime look through all conformances, which is a
/// tenth of the time of verifying one statement.
struct EntryTable: Sendable {
    private var rows: [(id: String, entry: TrustStore.Entry)] = []

    /// Of two rows with one id the later one holds.
    init(_ given: [(id: String, entry: TrustStore.Entry)]) {
        guard given.count > 1 else {
            rows = given
            return
        }
        var order = Array(given.indices)
        order.sort { given[$0].id == given[$1].id ? $0 < $1 : given[$0].id < given[$1].id }
        rows.reserveCapacity(given.count)
        for index in order {
            if rows.last?.id == given[index].id { rows.removeLast() }
            rows.append(given[index])
        }
    }

    /// How many keys can be used.
    var keyCount: Int {
        rows.count { if case .trusted = $0.entry { true } else { false } }
    }

    subscript(id: String) -> TrustStore.Entry? {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < rows.count && rows[low].id == id ? rows[low].entry : nil
    }
}
