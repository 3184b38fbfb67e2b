internal import CountersignKeys
internal import Passwords
internal import Storage

extension Transaction {
    /// The hash with which a password is compared: the user's, or somebody else's where there is no such user or no password, so that the
    /// same work is done then (attack S10).
    func hash(of user: UserRow?, named name: String) throws -> PasswordHash {
        guard let stored = try user?.password ?? decoy(for: name) else { return .nobody(try settings().passwords) }
        guard let hash = PasswordHash(stored) else { throw StorageError(.corrupt, "a user's password hash is none") }
        return hash
    }

    /// Whose hash is used for a user who has none: always the same user's, so that it costs what a user's hash costs here, those
    /// too that were not upgraded yet. Nil where nobody has one.
    private func decoy(for name: String) throws -> String? {
        let choice = SHA256.hash(Array(name.utf8).span).prefix(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return try UserRow.someHash(choice, on: connection)
    }
}
