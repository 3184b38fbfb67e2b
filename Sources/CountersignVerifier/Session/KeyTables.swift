package import CountersignKeys
import Synchronization

/// The tables of the keys that sign most, shared by the sessions of a verifier.
///
/// A table costs what it saves on so many signatures, so a key gets one when that many were checked without it. There
/// are never more than `capacity`; a further key waits until one has not been asked for in a long time. So memory is
/// bounded, and whatever order the keys come in, tables cost little more than they save.
package final class KeyTables: Sendable {
    private let worth: Int?
    private let shelf: Mutex<Shelf>

    /// - Parameters:
    ///   - worth: after how many signatures of a key its table is made; else what ``SignatureTable`` says.
    ///   - capacity: how many tables there are at most, of some 400 KiB each.
    ///   - patience: after how many questions of which none was for it a table makes room.
    package init(worth: Int? = nil, capacity: Int = 32, patience: Int = 2_048) {
        self.worth = worth
        shelf = Mutex(Shelf(capacity: capacity, patience: patience))
    }

    /// The table of a key, where it has one by now; one that is due is made before this returns.
    ///
    /// - Parameter checks: how many of its signatures the caller checked without, since it last asked.
    package func table(of key: PublicKey, id: String, after checks: Int) -> SignatureTable? {
        let worth = worth ?? SignatureTable.worth(for: key.algorithm) ?? .max
        switch shelf.withLock({ $0.ask(id, checks, worth: worth) }) {
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
            var checks = 0
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
        private var questions = 0
        private var count = 0
        private let capacity: Int
        private let patience: Int

        init(capacity: Int, patience: Int) {
            self.capacity = capacity
            self.patience = patience
        }

        mutating func ask(_ id: String, _ checks: Int, worth: Int) -> Answer {
            questions += 1
            var entry = entries[id] ?? Entry()
            entry.checks += checks
            entry.lastAsked = questions
            defer { entries[id] = entry }
            switch entry.state {
            case .with(let table): return .made(table)
            case .inTheMaking, .impossible: return .none
            case .without:
                guard entry.checks >= worth, count < capacity || makeRoom() else { return .none }
                count += 1
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
            guard let oldest, questions - oldest.value.lastAsked > patience else { return false }
            entries[oldest.key] = Entry()
            count -= 1
            return true
        }
    }
}
