package import CountersignKeys
package import CountersignVerifier
internal import Devices
internal import Passwords
package import Sessions
internal import Signing
internal import Storage

extension SigningEngine {
    /// Goes on with the login of a device that was approved (rules A10 and A11): with the right password it is one of the user's, and has
    /// a session.
    ///
    /// A wrong one takes an attempt of the user's at the door: only a device that one of theirs approved can do that (attack S12).
    ///
    /// - Throws: `activationPending` and what became of it otherwise, before a password is looked at; `authenticationFailed`;
    ///   `authenticationBusy`; `activationRejected` where the device that approved it was taken out of use since; `deviceKeyTaken`.
    package func finishActivation(
        _ id: UUIDText, of thumbprint: String, password: SecretBytes, once: Once<SessionGrant>? = nil
    ) async throws -> SessionGrant {
        do { try PasswordRules.checkAnswer(password) } catch { throw Refusal(error) }
        let (attempt, device) = (try Self.newID(), try Self.newID())
        let tokens = try SessionTokens()
        let clock = clock
        let name = try await database.read { connection in
            try Transaction(connection, clock: clock).approvedUser(id, thumbprint, device)
        }
        let (visit, reservation) = try await reserve(for: "login \(name.text)") {
            try await write { transaction in
                try transaction.begin(once)
                _ = try transaction.approvedUser(id, thumbprint, device)
                return try transaction.visit(attempt, name)
            }
        }
        let result = try await giveBackIfFailed(attempt, visit, of: name) {
            try await work(visit, password, reservation)
        }
        guard case .right = result else {
            try await settleWrongLogin(attempt, visit, of: name, once)
            throw Refusal(.authenticationFailed)
        }
        let masterKey = masterKey
        let grant: SessionGrant? = try await giveBackIfFailed(attempt, visit, of: name) {
            try await write { transaction in
                try transaction.begin(once)
                let grant = try transaction.activate(id, thumbprint, as: device, attempt, visit, name, tokens)
                if let grant { try transaction.keep(grant, once, masterKey) }
                return grant
            }
        }
        guard let grant else { throw Refusal(.authenticationFailed) }
        return grant
    }
}

extension Transaction {
    /// Whose device it becomes, if nothing but the password is missing.
    fileprivate func approvedUser(_ id: UUIDText, _ thumbprint: String, _ device: UUIDText) throws -> UserName {
        let (row, activation) = try activation(id, of: thumbprint)
        var tried = activation
        _ = try tried.handle(.activate(device, by: approver(of: row)), at: now)
        guard let name = row.userName.flatMap({ UserName($0) }) else {
            throw StorageError(.corrupt, "an activation was approved for nobody")
        }
        return name
    }

    /// The device that approved it.
    ///
    /// - Throws: why there is none.
    private func approver(of row: ActivationRequestRow) throws -> Approver? {
        try row.approver.flatMap { try DeviceRow.find($0, on: connection) }.map { try Approver($0) }
    }

    /// Takes an attempt. Nil: wait.
    fileprivate func visit(_ attempt: UUIDText, _ name: UserName) throws -> DoorVisit? {
        let user = try user(name)
        var visit = DoorVisit(.compare(try hash(of: user, named: name.text)), of: user)
        if user.password == nil { visit.counts = false }
        return try takeLogin(attempt, visit, of: user)
    }

    /// Makes the device one of the user's, whose password was right; nil where it does not count any more.
    fileprivate func activate(
        _ id: UUIDText, _ thumbprint: String, as device: UUIDText, _ attempt: UUIDText, _ visit: DoorVisit,
        _ name: UserName, _ tokens: SessionTokens
    ) throws -> SessionGrant? {
        let row = try activation(id, of: thumbprint).0
        guard try DeviceRow.find(thumbprint: thumbprint, on: connection) == nil else { throw Refusal(.deviceKeyTaken) }
        guard try UserRow.find(name.text, on: connection)?.version == visit.userVersion else {
            // Locked, or another password, while this one was checked.
            try changeLedger(name.text, .login, ceremony: "") { $0.giveBack(attempt) }
            try record(.loginRefused, user: name.text, result: .authenticationFailed)
            return nil
        }
        guard try settleRightLogin(attempt, visit, of: name) else {
            try record(.loginRefused, user: name.text, result: .authenticationFailed)
            return nil
        }
        let approver = try approver(of: row)
        try DeviceRow(
            id: device.text, userName: name.text, name: row.deviceName, thumbprint: thumbprint, jwk: row.jwk,
            createdAt: now
        ).insert(on: connection)
        try handle(.activate(device, by: approver), row)
        let grant = try openSession(tokens, of: .person(name), device: device, thumbprint: thumbprint)
        try tell(
            DeviceEvent(
                .enrolled, of: name, device: device, name: row.deviceName, by: nil,
                note: approver.map { "approved by \($0.id.text)" }))
        return grant
    }
}
