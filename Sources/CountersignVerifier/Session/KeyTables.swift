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
        switch shelf.withLock({ $0.ask(id, count, worth: worth) }) {
        case .made(let table): return table
        case .none: return nil
        case .due:
            let table = SignatureTable(key)
            shelf.withLock { $0.put(table, id) }
            return table
        }
    }

    private enum Answer {
        case made(SignatureTable)
        case none
        /// There is none yet, and the caller is to make it.
        case due
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
            case inTheMaking
            case with(SignatureTable)
            /// OpenSSL has none to give.
            case impossible
        }

        private var entries: [String: Entry] = [:]
        /// Signatures of all keys.
        private var asked = 0
        /// How many tables there are.
        private var count = 0
        private let capacity: Int
        private let patience: Int

        init(capacity: Int, patience: Int) {
            self.capacity = capacity
            self.patience = patience
        }

        mutating func ask(_ id: String, _ count: Int, worth: Int) -> Answer {
            asked += count
            var entry = entries[id] ?? Entry()
            entry.count += count
            entry.lastAsked = asked
            defer { entries[id] = entry }
            switch entry.state {
            case .with(let table): return .made(table)
            case .inTheMaking, .impossible: return .none
            case .without:
                guard entry.count >= worth, self.count < capacity || makeRoom() else { return .none }
                self.count += 1
                entry.state = .inTheMaking
                return .due
            }
        }

        mutating func put(_ table: SignatureTable?, _ id: String) {
            if table == nil { count -= 1 }
            entries[id]?.state = table.map { .with($0) } ?? .impossible
        }

        /// Takes away the table that nobody asked for the longest, if that is long enough.
        private mutating func makeRoom() -> Bool {
            let oldest = entries.filter { if case .with = $0.value.state { true } else { false } }
                .min { $0.value.lastAsked < $1.value.lastAsked }
            guard let oldest, asked - oldest.value.lastAsked > patience else { return false }
            entries[oldest.key] = Entry()
            count -= 1
            return true
        }
    }
}
