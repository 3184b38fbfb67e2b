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
    @discardableResult
    package func addUser(_ name: UserName, password: SecretBytes?, once: Once<User>? = nil) async throws -> User {
        let hash = try await newHash(password)
        return try await write(once) { transaction in
            guard try UserRow.find(name.text, on: transaction.connection) == nil else { throw Refusal(.userExists) }
            try UserRow.insert(name: name.text, password: hash?.text, at: transaction.now, on: transaction.connection)
            try transaction.record(.userAdded, user: name.text)
            return try transaction.listed(name)
        }
    }

    /// Sets a user's password, which ends their sessions.
    ///
    /// - Throws: `userUnknown`, or what is wrong with the password.
    @discardableResult
    package func setPassword(_ password: SecretBytes, of name: UserName, once: Once<User>? = nil) async throws -> User {
        let hash = try await newHash(password)
        return try await write(once) { transaction in
            let user = try transaction.user(name)
            if let hash { try user.setPassword(hash.text, at: transaction.now, on: transaction.connection) }
            try transaction.recordWithSessions(.passwordSet, of: name)
            return try transaction.listed(name)
        }
    }

    /// Clears a user's password, which ends their sessions: they set one with their next activation code.
    ///
    /// - Throws: `userUnknown`.
    @discardableResult
    package func clearPassword(of name: UserName, once: Once<User>? = nil) async throws -> User {
        try await write(once) { transaction in
            let user = try transaction.user(name)
            if user.password != nil {
                try user.clearPassword(on: transaction.connection)
                try transaction.recordWithSessions(.passwordCleared, of: name)
            }
            return try transaction.listed(name)
        }
    }

    /// Locks a user: their sessions end at once, and they can neither log in nor sign until they are unlocked. Locking twice is harmless.
    ///
    /// - Throws: `userUnknown`.
    @discardableResult
    package func lock(_ name: UserName, once: Once<User>? = nil) async throws -> User {
        try await write(once) { transaction in
            let user = try transaction.user(name)
            if !user.isLocked {
                try user.setLocked(true, on: transaction.connection)
                try transaction.recordWithSessions(.userLocked, of: name)
            }
            return try transaction.listed(name)
        }
    }

    /// Unlocks a user and lifts what blocks them, at the door, at step-up and for new devices: the counters of wrong answers start anew,
    /// and all attempts are back.
    ///
    /// - Throws: `userUnknown`.
    @discardableResult
    package func unlock(_ name: UserName, once: Once<User>? = nil) async throws -> User {
        try await write(once) { transaction in
            let user = try transaction.user(name)
            if user.isLocked { try user.setLocked(false, on: transaction.connection) }
            try transaction.unblockActivations(of: name)
            for purpose in LedgerRow.Purpose.allCases {
                try transaction.changeLedger(name.text, purpose, ceremony: "") { ledger in
                    ledger.unlock()
                    // Those too that are being checked: whoever took them may have died. An answer that comes after all starts anew.
                    for attempt in ledger.inFlight { ledger.giveBack(attempt.id) }
                }
            }
            try transaction.record(.userUnlocked, user: name.text)
            return try transaction.listed(name)
        }
    }

    /// All users, by name.
    package func users() async throws -> [User] {
        let now = clock.now()
        return try await database.read { connection in
            try UserRow.list(on: connection).map { try User($0, on: connection, at: now) }
        }
    }

    /// A user, or nil.
    package func user(_ name: UserName) async throws -> User? {
        let now = clock.now()
        return try await database.read { connection in
            try UserRow.find(name.text, on: connection).map { try User($0, on: connection, at: now) }
        }
    }

    private func newHash(_ password: SecretBytes?) async throws -> PasswordHash? {
        guard let password else { return nil }
        do { try PasswordRules.check(password) } catch { throw Refusal(error) }
        return try await reserve().hash(password, settings().passwords)
    }

    /// A place in a hashing queue, by default that of users and their devices.
    ///
    /// - Throws: `authenticationBusy`.
    func reserve(on pool: PasswordHasher? = nil) throws(Refusal) -> PasswordHasher.Reservation {
        do { return try (pool ?? hasher).reserve() } catch { throw Refusal(.authenticationBusy) }
    }

    /// Does something with a place in the queue of users and their devices. Nobody has more than a few at once there, blocked or not,
    /// right or wrong: the others of theirs wait, and too many are refused (attack S13).
    ///
    /// - Parameters:
    ///   - owner: at which door, and whose password is asked for.
    ///   - take: nil: no attempt is free, ask again. The place is not held meanwhile.
    /// - Throws: `authenticationBusy`, and what `take` throws.
    func reserve<Taken>(
        for owner: String, _ take: () async throws -> Taken?
    ) async throws -> (Taken, PasswordHasher.Reservation) {
        try crowd.enter(owner)
        defer { crowd.leave(owner) }
        while true {
            do {
                let reservation: PasswordHasher.Reservation?
                do { reservation = try hasher.reserve(for: owner) } catch { throw Refusal(.authenticationBusy) }
                if let reservation, let taken = try await take() { return (taken, reservation) }
            }
            try await clock.sleep(20)
        }
    }
}

extension Transaction {
    func user(_ name: UserName) throws -> UserRow {
        guard let user = try UserRow.find(name.text, on: connection) else { throw Refusal(.userUnknown) }
        return user
    }

    /// The user as the operator sees them now.
    fileprivate func listed(_ name: UserName) throws -> User {
        try User(user(name), on: connection, at: now)
    }

    /// Ends a user's sessions, and records what ended them.
    fileprivate func recordWithSessions(_ event: AuditEvent, of name: UserName) throws {
        let ended = try endSessions(.user(name.text))
        try record(event, user: name.text, detail: ended == 0 ? nil : "sessions ended: \(ended)")
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
