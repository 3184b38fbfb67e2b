/// What can go wrong in a store: a closed code for the program, open words for the operator.
package struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Every way in which a store can fail.
    package enum Code: Sendable, Hashable {
        /// Somebody else held the write lock for too long: try again.
        case busy
        /// No space left for the change, which was undone.
        case full
        /// What is there cannot be what was written.
        case corrupt
        /// Made by a newer version of this program.
        case newerSchema(found: Int64, known: Int64)
        /// There, but not a store of this program.
        case notAStore
        /// Not there, may not be opened, or closed.
        case unreadable
        /// There already: never overwritten.
        case exists
        /// A rule of the schema forbids it: a name taken, a second statement of one ceremony.
        case constraint
        /// Somebody else changed the row since it was read.
        case conflict
        /// Anything else that the disk or the engine said.
        case io
    }

    /// For the program.
    package let code: Code
    /// For the person: what, and where it helps, what to do.
    package let detail: String

    /// - Parameter detail: never holds a value of a row.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String {
        switch code {
        case .busy: "the store is busy: \(detail)"
        case .full: "the store is full: \(detail)"
        case .corrupt: "the store is damaged: \(detail)"
        case .newerSchema(let found, let known):
            "the store has schema version \(found), this program knows \(known) at most: \(detail)"
        case .notAStore: "not a store: \(detail)"
        case .unreadable: "the store cannot be opened: \(detail)"
        case .exists: "refused to overwrite: \(detail)"
        case .constraint: "the store's rules forbid it: \(detail)"
        case .conflict: "changed meanwhile: \(detail)"
        case .io: "the store failed: \(detail)"
        }
    }
}
