package import CountersignVerifier
package import Signing
internal import Storage

extension SigningEngine {
    /// Ends the open signing of a session, if there is one: `resetAuthenticateUserAndSignDataState` of the codelab.
    /// Harmless at any time, and twice (S32).
    package func reset(_ asker: Asker) async throws {
        try await write { transaction in
            let (ceremony, row) = try transaction.ceremony(of: asker)
            guard let row else { return }
            try transaction.reset(ceremony, row)
        }
    }

    /// The operator's reset: ends the open signing with this id.
    ///
    /// - Returns: whether there was an open one.
    package func reset(ceremony id: UUIDText) async throws -> Bool {
        try await write { transaction in
            guard let row = try CeremonyRow.find(id.text, on: transaction.connection), row.state == .challenged
            else { return false }
            try transaction.reset(Ceremony(row, attemptsLeft: 0), row)
            return true
        }
    }

    /// The operator's reset: ends all open signings, or all of one user.
    ///
    /// - Returns: how many there were.
    package func resetAll(of user: UserName? = nil) async throws -> Int {
        try await write { try $0.resetAll(of: user) }
    }
}

extension Transaction {
    /// Ends all open signings, or all of one user.
    func resetAll(of user: UserName?) throws -> Int {
        try tidyUp()
        let open = try CeremonyRow.listOpen(userName: user?.text, on: connection)
        for row in open { try reset(Ceremony(row, attemptsLeft: 0), row) }
        return open.count
    }

    /// Ends the open signing of a session.
    func resetAll(ofSession session: String) throws {
        for row in try CeremonyRow.listOpen(session: session, on: connection) {
            try reset(Ceremony(row, attemptsLeft: 0), row)
        }
    }

    func reset(_ ceremony: Ceremony, _ row: CeremonyRow) throws {
        var (ceremony, row) = (ceremony, row)
        let effects = try ceremony.handle(.reset, at: now)
        guard row.state == .challenged else { return }
        try save(ceremony, as: &row)
        try record(effects, of: row)
    }
}
