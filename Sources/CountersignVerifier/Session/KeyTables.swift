package import CountersignKeys
import Synchronization

/// The tables of the keys that sign most, shared by the sessions of a verifier.
///
/// A table costs what it saves on so many signatures, so a key gets one when that many of its signatures were asked for.
/// So whatever order the keys come in, what is spent on a table that is of no more use had been spent on its key's
/// signatures before. There are never more than `capacity`, so memory is bounded; a further key waits until one has not
/// been asked for in a long time.
package final class KeyTables: Sendable {
    private let worth: Int?
    private let shelf: Mutex<Shelf>

    /// - Parameters:
    ///   - worth: for how many signatures of a key its table is made; else what ``SignatureTable`` says.
    ///   - capacity: how many tables there are at most, of 256 KiB or 400 KiB each.
    ///   - patience: after how many signatures of other keys a table makes room. A file that is sorted by keys then has
    ///     the tables of those that it is at; and where no key comes often, tables are made too seldom to matter.
    package init(worth: Int? = nil, capacity: Int = 32, patience: Int = 8_192) {
        self.worth = worth
        shelf = Mutex(Shelf(capacity: capacity, patience: patience))
    }

    /// The table of a key, where it has one by now; one that is due is made before this returns.
    ///
    /// - Parameter count: how many of its signatures the caller is about to check.
    package func table(of key: PublicKey, id: String, for count: Int) -> SignatureTable? {
        let worth = worth ?? SignatureTable.worth(for: key.algorithm) ?? .max
        guard let place = shelf.withLock({ $0.ask(id, count, worth: worth) }) else { return nil }
        if let table = place.table(of: key) { return table }
        shelf.withLock { $0.giveUp(id) }
        return nil
    }

    /// Where a table is, or will be: whoever comes first makes it, and others that come meanwhile wait, for a block of
    /// lines takes longer without it.
    private final class Place: Sendable {
        private let made = Mutex<SignatureTable??>(nil)

        func table(of key: PublicKey) -> SignatureTable? {
            made.withLock { made in
                if let table = made { return table }
                let table = SignatureTable(key)
                made = .some(table)
                return table
            }
        }
    }

    private struct Shelf {
        private struct Entry {
            /// Signatures that it was asked for while there was no table.
            var count = 0
            /// What ``asked`` was when it was asked for.
            var lastAsked = 0
            var state = State.without
        }

        private enum State {
            case without
            case with(Place)
            /// There is none to be had.
            case impossible
        }

        private var entries: [String: Entry] = [:]
        /// Signatures of all keys.
        private var asked = 0
        /// How many tables there are.
        private var count = 0
        /// Until what ``asked`` is no table can make room: it is not looked for again for each of many keys.
        private var fullUntil = 0
        private let capacity: Int
        private let patience: Int

        init(capacity: Int, patience: Int) {
            self.capacity = capacity
            self.patience = patience
        }

        mutating func ask(_ id: String, _ count: Int, worth: Int) -> Place? {
            asked += count
            var entry = entries[id] ?? Entry()
            entry.count += count
            entry.lastAsked = asked
            defer { entries[id] = entry }
            switch entry.state {
            case .with(let place): return place
            case .impossible: return nil
            case .without:
                guard entry.count >= worth, self.count < capacity || makeRoom() else { return nil }
                self.count += 1
                let place = Place()
                entry.state = .with(place)
                return place
            }
        }

        /// There is no table for a key; it takes no room any more.
        mutating func giveUp(_ id: String) {
            guard case .with = entries[id]?.state else { return }
            count -= 1
            entries[id]?.state = .impossible
        }

        /// Takes away the table that nobody asked for the longest, if that is long enough.
        private mutating func makeRoom() -> Bool {
            guard asked > fullUntil else { return false }
            let oldest = entries.filter { if case .with = $0.value.state { true } else { false } }
                .min { $0.value.lastAsked < $1.value.lastAsked }
            guard let oldest else { return false }
            fullUntil = oldest.value.lastAsked + patience
            guard asked > fullUntil else { return false }
            entries[oldest.key] = Entry()
            count -= 1
            return true
        }
    }
}
