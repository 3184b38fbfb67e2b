internal import CountersignKeys
internal import Passwords
internal import Storage

extension Transaction {
    /// The hash with which a password is compared: the user's, or somebody else's where there is no such user or no password, so that the
    /// same work is done then (attack S10).
    func hash(of user: UserRow?, named name: String) throws -> PasswordHash {
        // Also looked for where it is not needed: the time must not tell.
        let decoy = try decoy(for: name)
        guard let stored = user?.password ?? decoy else { return .nobody(try settings().passwords) }
        guard let hash = PasswordHash(stored) else { throw StorageError(.corrupt, "a user's password hash is none") }
        return hash
    }

    /// Whose hash is used for a user who has none: the same user's each time, so that it costs what a user's hash costs here, those
    /// too that were not upgraded yet. Nil where nobody has one.
    private func decoy(for name: String) throws -> String? {
        let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)
        let start = SHA256.hash(Array(name.utf8).span).prefix(3).map { digits[Int($0) % digits.count] }
        return try UserRow.someHash(from: String(decoding: start, as: UTF8.self), on: connection)
    }
}
