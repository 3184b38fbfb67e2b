internal import CountersignJOSE
package import CountersignKeys
package import CountersignVerifier
internal import Devices
internal import Notifications
internal import Signing
internal import Storage

extension SigningEngine {
    /// A device that nobody knows wants to be one of a user's (rules A02 and A03). What it learns is the same for every name, whether
    /// or not there is such a user. One that asked before with the same key begins anew.
    ///
    /// - Parameters:
    ///   - name: nil for what is no name.
    ///   - deviceName: what the user calls the device; white space around it is cut off.
    ///   - key: one that the caller proved to have.
    ///   - address: where it asks from, for whoever is to approve it.
    /// - Throws: `deviceKeyTaken`, `deviceKeyRefused`, what is wrong with the device's name.
    package func beginActivation(
        of name: UserName?, deviceName: String, key: PublicKey, address: String? = nil,
        once: Once<ActivationRecord>? = nil
    ) async throws -> ActivationRecord {
        let deviceName = try DeviceName.parse(deviceName)
        try Self.checkDeviceKey(key)
        let id = try Self.newID()
        let (thumbprint, jwk) = (Thumbprint.sha256(of: key), String(decoding: JWK(key).json, as: UTF8.self))
        return try await write(once) { transaction in
            try transaction.tidyActivations()
            guard try DeviceRow.find(thumbprint: thumbprint, on: transaction.connection) == nil else {
                throw Refusal(.deviceKeyTaken)
            }
            for row in try ActivationRequestRow.open(thumbprint: thumbprint, on: transaction.connection) {
                try transaction.handle(.cancel, row)
            }
            let now = transaction.now
            try ActivationRequestRow(
                id: id.text, userName: name?.text, deviceName: deviceName, thumbprint: thumbprint, jwk: jwk,
                address: address, createdAt: now, expiresAt: now.saturatingAdd(transaction.settings().activation.life)
            ).insert(on: transaction.connection)
            return try transaction.activationRecord(id, of: thumbprint)
        }
    }

    /// How far an activation is (rule A09).
    ///
    /// - Parameter thumbprint: that of the key that the caller proved to have.
    /// - Throws: `activationUnknown`, also for one of another key.
    package func activation(_ id: UUIDText, of thumbprint: String) async throws -> ActivationRecord {
        let clock = clock
        return try await database.read { connection in
            try Transaction(connection, clock: clock).activationRecord(id, of: thumbprint)
        }
    }

    /// Asks the user's devices that may approve (rule A05). Asked twice, nothing more happens (rule A07). Where there is no such
    /// user, or nobody to ask, it looks the same, and nobody answers.
    ///
    /// - Throws: `tooManyOpen`, `tooManyRequests` where a name was asked for too often (attack D6), whoever has it;
    ///   `activationMethodUnavailable`; `activationUnknown`; what became of it.
    package func verifyActivation(
        _ id: UUIDText, of thumbprint: String, once: Once<ActivationRecord>? = nil
    ) async throws -> ActivationRecord {
        let code = try MatchCode.random()
        let notification = try Self.newID()
        let trace = try await strangerTrace(of: id, thumbprint)
        return try await write(once) { transaction in
            try transaction.verifyActivation(id, of: thumbprint, code, notification)
            // In the one commit that everybody has: another would tell who there is.
            if let trace {
                try transaction.record(.activationRefused, result: .authenticationFailed, detail: trace)
            }
            return try transaction.activationRecord(id, of: thumbprint)
        }
    }

    /// What the audit says of an activation for a name that is nobody's; nil where it says nothing now.
    private func strangerTrace(of id: UUIDText, _ thumbprint: String) async throws -> String? {
        let clock = clock
        let isKnown = try await database.read { connection in
            let row = try Transaction(connection, clock: clock).activation(id, of: thumbprint).0
            return try row.userName.flatMap { try UserRow.find($0, on: connection) } != nil
        }
        return isKnown ? nil : strangerTally.note(.activationRefused, "no such user", at: clock.now())
    }

    /// Goes on with an activation code (rules A12, A13 and O20), also while the others are asked (C15): the question to them is
    /// withdrawn. The code comes from the operator, and `enrol` takes it.
    ///
    /// - Throws: as `verifyActivation`.
    package func fallBack(
        _ id: UUIDText, of thumbprint: String, once: Once<ActivationRecord>? = nil
    ) async throws -> ActivationRecord {
        try await write(once) { transaction in
            let (row, activation) = try transaction.activation(id, of: thumbprint)
            let settings = try transaction.settings()
            guard settings.activation.methods.contains(.activationCode) else {
                throw Refusal(.activationMethodUnavailable)
            }
            if case .offered = activation.state(at: transaction.now) {
                try transaction.checkAsking(row.userName, isQuestion: false)
            }
            let end = transaction.now.saturatingAdd(settings.activationLife)
            if try transaction.handle(.fallBack(until: end), row) != nil, let name = row.userName,
                try UserRow.find(name, on: transaction.connection) != nil
            {
                try transaction.record(.activationCodeWanted, user: name, detail: "activation \(id.text)")
                if let user = UserName(name) { try transaction.tellWebhook(.activationCodeWanted, of: user) }
            }
            return try transaction.activationRecord(id, of: thumbprint)
        }
    }

    /// Gives up (rules A06 and A14): in any state, twice too.
    ///
    /// - Throws: `activationUnknown`.
    package func cancelActivation(_ id: UUIDText, of thumbprint: String) async throws {
        try await write { transaction in
            _ = try transaction.handle(.cancel, transaction.activation(id, of: thumbprint).0)
        }
    }
}
