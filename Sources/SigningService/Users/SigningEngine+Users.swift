package import CountersignKeys
package import CountersignVerifier
internal import Passwords
package import Signing
internal import Storage

extension SigningEngine {
    /// The user that a text names.
    ///
    /// - Throws: `userNameMalformed`.
    package static func userName(_ text: String) throws(Refusal) -> UserName {
        guard let name = UserName(text) else { throw Refusal(.userNameMalformed) }
        return name
    }

    /// Adds a user. The name is theirs for ever.
    ///
    /// - Parameter password: nil leaves them without one, and they cannot sign.
    /// - Throws: `userExists`, or what is wrong with the password.
    package func addUser(_ name: UserName, password: SecretBytes?) async throws {
        let hash = try await newHash(password)
        try await write { transaction in
            guard try UserRow.find(name.text, on: transaction.connection) == nil else { throw Refusal(.userExists) }
            try UserRow.insert(name: name.text, password: hash?.text, at: transaction.now, on: transaction.connection)
            try transaction.record(.userAdded, user: name.text)
        }
    }

    /// Sets a user's password.
    ///
    /// - Throws: `userUnknown`, or what is wrong with the password.
    package func setPassword(_ password: SecretBytes, of name: UserName) async throws {
        guard let hash = try await newHash(password) else { return }
        try await write { transaction in
            let user = try transaction.user(name)
            try user.setPassword(hash.text, at: transaction.now, on: transaction.connection)
            try transaction.record(.passwordSet, user: name.text)
        }
    }

    /// Locks a user: they cannot sign until they are unlocked. Locking twice is harmless.
    ///
    /// - Throws: `userUnknown`.
    package func lock(_ name: UserName) async throws {
        try await write { transaction in
            let user = try transaction.user(name)
            guard !user.isLocked else { return }
            try user.setLocked(true, on: transaction.connection)
            try transaction.record(.userLocked, user: name.text)
        }
    }

    /// Unlocks a user and lifts what blocks them: the counters of wrong answers start anew, and all attempts are back.
    ///
    /// - Throws: `userUnknown`.
    package func unlock(_ name: UserName) async throws {
        try await write { transaction in
            let user = try transaction.user(name)
            if user.isLocked { try user.setLocked(false, on: transaction.connection) }
            var row = try LedgerRow.load(name.text, .stepUp, on: transaction.connection)
            var ledger = try AttemptLedger(row, rules: transaction.settings().attempts, at: transaction.now)
            ledger.unlock()
            // Those too that are being checked: whoever took them may have died. An answer that comes after all starts anew.
            for attempt in ledger.inFlight { ledger.giveBack(attempt.id) }
            row.take(ledger, ceremony: "")
            try row.save(at: transaction.now, on: transaction.connection)
            try transaction.record(.userUnlocked, user: name.text)
        }
    }

    /// All users, by name.
    package func users() async throws -> [User] {
        let now = clock.now()
        return try await database.read { connection in
            try UserRow.list(on: connection).map {
                try User($0, LedgerRow.load($0.name, .stepUp, on: connection), at: now)
            }
        }
    }

    private func newHash(_ password: SecretBytes?) async throws -> PasswordHash? {
        guard let password else { return nil }
        do { try PasswordRules.check(password) } catch { throw Refusal(error) }
        return try await reserve().hash(password, settings().passwords)
    }

    /// A place in the hashing queue.
    ///
    /// - Throws: `authenticationBusy`.
    func reserve() throws(Refusal) -> PasswordHasher.Reservation {
        do { return try hasher.reserve() } catch { throw Refusal(.authenticationBusy) }
    }
}

extension Transaction {
    func user(_ name: UserName) throws -> UserRow {
        guard let user = try UserRow.find(name.text, on: connection) else { throw Refusal(.userUnknown) }
        return user
    }
}

extension Refusal {
    /// What is wrong with a password, in the words of the catalogue.
    init(_ refusal: PasswordRefusal) {
        switch refusal {
        case .empty: self.init(.passwordEmpty)
        case .tooShort: self.init(.passwordTooShort, .minimum(PasswordRules.minimumCharacters))
        case .tooLong: self.init(.passwordTooLong)
        case .notUTF8: self.init(.passwordNotUTF8)
        case .control: self.init(.passwordCharacter)
        case .outerSpace: self.init(.passwordOuterSpace)
        }
    }
}
