internal import CountersignJOSE
package import CountersignKeys
package import CountersignVerifier
internal import Passwords
package import Sessions
internal import Signing
internal import Storage

extension SigningEngine {
    /// Logs a person in on their device: the device's proof first, then the password.
    ///
    /// Whatever is wrong, the refusal is the same and exactly one hash was computed (attack S10). Only who proves to have the key of
    /// one of the user's devices takes an attempt of theirs, on a ledger of its own: strangers lock nobody out (attack S12), and
    /// they queue elsewhere.
    ///
    /// - Parameters:
    ///   - name: nil for what is no name.
    ///   - key: one that the caller proved to have.
    /// - Throws: `authenticationFailed`; `authenticationBusy` before an attempt is taken; what is wrong with the length of
    ///   the password.
    package func logIn(
        user name: UserName?, password: SecretBytes, key: PublicKey, once: Once<SessionGrant>? = nil
    ) async throws -> SessionGrant {
        do { try PasswordRules.checkAnswer(password) } catch { throw Refusal(error) }
        let thumbprint = Thumbprint.sha256(of: key)
        let attempt = try Self.newID()
        let tokens = try SessionTokens()
        let isKnown = try await isDevice(thumbprint, of: name)
        let (visit, reservation): (DoorVisit, PasswordHasher.Reservation)
        if isKnown, let name {
            (visit, reservation) = try await reserve(for: "login \(name.text)") {
                try await write { transaction in
                    try transaction.begin(once)
                    return try transaction.visit(attempt, name, thumbprint)
                }
            }
        } else {
            (visit, reservation) = try await strangersVisit { try await strangerVisit(name?.text) }
        }
        let result = try await giveBackIfFailed(attempt, visit, of: name) {
            try await work(visit, password, reservation)
        }
        guard isKnown, let name else {
            try await noteStranger(.loginWrong, "unknown key")
            throw Refusal(.authenticationFailed)
        }
        guard case .right = result else {
            try await settleWrongLogin(attempt, visit, of: name, once)
            throw Refusal(.authenticationFailed)
        }
        let masterKey = masterKey
        let grant: SessionGrant? = try await giveBackIfFailed(attempt, visit, of: name) {
            try await write { transaction in
                try transaction.begin(once)
                let grant = try transaction.letIn(attempt, visit, name, thumbprint, tokens)
                if let grant { try transaction.keep(grant, once, masterKey) }
                return grant
            }
        }
        guard let grant else { throw Refusal(.authenticationFailed) }
        return grant
    }

    /// Whether a key is an active device of exactly this user.
    private func isDevice(_ thumbprint: String, of name: UserName?) async throws -> Bool {
        guard let name else { return false }
        return try await database.read { connection in
            try DeviceRow.activeDevice(thumbprint, of: name.text, on: connection) != nil
        }
    }

    /// The visit of somebody without a device: the same work, and nothing is written.
    private func strangerVisit(_ name: String?) async throws -> DoorVisit {
        let clock = clock
        return try await database.read { connection in
            let transaction = try Transaction(connection, clock: clock)
            let user = try name.flatMap { try UserRow.find($0, on: connection) }
            return DoorVisit(inVain: try transaction.hash(of: user, named: name ?? ""))
        }
    }
}

extension Transaction {
    /// Takes an attempt for somebody at a device. Nil: wait.
    fileprivate func visit(_ attempt: UUIDText, _ name: UserName, _ thumbprint: String) throws -> DoorVisit? {
        let user = try UserRow.find(name.text, on: connection)
        let hash = try hash(of: user, named: name.text)
        guard let user, try DeviceRow.activeDevice(thumbprint, of: name.text, on: connection) != nil else {
            return DoorVisit(inVain: hash)  // Deleted since it was looked at.
        }
        var visit = DoorVisit(.compare(hash), of: user)
        if user.password == nil { visit.counts = false }
        return try takeLogin(attempt, visit, of: user)
    }

    /// Opens the session of somebody whose password was right; nil where it does not count any more.
    fileprivate func letIn(
        _ attempt: UUIDText, _ visit: DoorVisit, _ name: UserName, _ thumbprint: String, _ tokens: SessionTokens
    ) throws -> SessionGrant? {
        guard try UserRow.find(name.text, on: connection)?.version == visit.userVersion,
            let row = try DeviceRow.activeDevice(thumbprint, of: name.text, on: connection),
            let device = UUIDText(row.id)
        else {
            // Locked, another password or no device any more, while the password was checked.
            try changeLedger(name.text, .login, ceremony: "") { $0.giveBack(attempt) }
            try record(.loginRefused, user: name.text, result: .authenticationFailed)
            return nil
        }
        guard try settleRightLogin(attempt, visit, of: name) else {
            try record(.loginRefused, user: name.text, result: .authenticationFailed)
            return nil
        }
        try DeviceRow.touch(row.id, at: now, on: connection)
        let grant = try openSession(tokens, of: .person(name), device: device, thumbprint: thumbprint)
        try record(.loggedIn, user: name.text, detail: "session \(tokens.id.text), device \(row.id)")
        return grant
    }
}
