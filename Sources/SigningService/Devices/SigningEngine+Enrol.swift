internal import CountersignJOSE
package import CountersignKeys
package import CountersignVerifier
internal import Devices
internal import Passwords
package import Sessions
internal import Signing
internal import Storage

extension SigningEngine {
    /// Enrols a device with an activation code of the operator's. A user without a password sets it; who has one must know it.
    ///
    /// Whatever is wrong with code, user or password, the refusal is the same and exactly one hash was computed. A code that is
    /// guessed at dies after five wrong guesses; passwords count on the log-in ledger of those only who have the right code.
    ///
    /// - Parameters:
    ///   - name: nil for what is no name.
    ///   - code: nil for what is no code.
    ///   - deviceName: what the user calls the device; white space around it is cut off.
    ///   - key: one that the caller proved to have.
    /// - Throws: `authenticationFailed`; `deviceKeyTaken`, once all else is right; `deviceKeyRefused`; `authenticationBusy`; what is
    ///   wrong with the device's name or with the password as one that is set.
    package func enrol(
        user name: UserName?, code: ActivationCode?, password: SecretBytes, deviceName: String, key: PublicKey,
        once: Once<SessionGrant>? = nil
    ) async throws -> SessionGrant {
        let deviceName = try DeviceName.parse(deviceName)
        try Self.checkDeviceKey(key)
        // Also where there is a password already: whoever has no code must not learn whether there is one.
        do { try PasswordRules.check(password) } catch { throw Refusal(error) }
        let activationKey = try activationKey()
        let claim = try code.map { (selector: $0.selector, tag: try $0.tag(activationKey)) }
        let attempt = try Self.newID()
        let device = DeviceRow(
            id: try Self.newID().text, userName: name?.text ?? "", name: deviceName,
            thumbprint: Thumbprint.sha256(of: key), jwk: String(decoding: JWK(key).json, as: UTF8.self), createdAt: 0)
        let tokens = try SessionTokens()
        let masterKey = masterKey
        var found = Enrolment.nothing
        let (visit, reservation) = try await strangersVisit {
            let (visit, enrolment) = try await write { transaction in
                try transaction.begin(once)
                let (visit, found) = try transaction.visit(attempt, name, claim?.selector, claim?.tag ?? [])
                if case .wrongCode = found {
                    try transaction.keep(refusal: Refusal(.authenticationFailed), once, masterKey)
                }
                return (visit, found)
            }
            found = enrolment
            return visit
        }
        let result = try await giveBackIfFailed(attempt, visit, of: name) {
            try await work(visit, password, reservation)
        }
        guard case .code(let row) = found, let name else {
            if case .nothing = found { try await noteStranger(.enrolmentRefused, "no such code") }
            throw Refusal(.authenticationFailed)
        }
        var hash: PasswordHash?
        switch result {
        case .wrong:
            try await settleWrongLogin(attempt, visit, of: name, once)
            throw Refusal(.authenticationFailed)
        case .right: break
        case .new(let new): hash = new
        }
        let newHash = hash
        let grant: SessionGrant? = try await giveBackIfFailed(attempt, visit, of: name) {
            try await write { transaction in
                try transaction.begin(once)
                let grant = try transaction.enrol(device, name, row, newHash, attempt, visit, tokens)
                if let grant { try transaction.keep(grant, once, masterKey) }
                return grant
            }
        }
        guard let grant else { throw Refusal(.authenticationFailed) }
        return grant
    }
}

/// What stands behind the code that somebody came with.
private enum Enrolment: Sendable {
    /// There is no such code.
    case nothing
    /// There is, but with another secret or for another user; it is counted and recorded.
    case wrongCode
    /// It is the user's.
    case code(ActivationRow)
}

extension Transaction {
    /// After so many wrong secrets a code is dead.
    private static let guesses = 5

    /// Looks at the code, counts it where it is wrong, and takes an attempt where it is right. No visit: wait.
    fileprivate func visit(
        _ attempt: UUIDText, _ name: UserName?, _ selector: String?, _ tag: [UInt8]
    ) throws -> (DoorVisit?, Enrolment) {
        let user = try name.flatMap { try UserRow.find($0.text, on: connection) }
        let inVain = DoorVisit(inVain: try hash(of: user, named: name?.text ?? ""))
        guard let row = try selector.flatMap({ try ActivationRow.find($0, at: now, on: connection) }) else {
            return (inVain, .nothing)
        }
        guard let user, constantTimeEqual(row.tag.span, tag.span), row.userName.utf8.elementsEqual(user.name.utf8)
        else {
            try countWrong(row)
            return (inVain, .wrongCode)
        }
        guard user.password != nil else {
            return (DoorVisit(.set(try settings().passwords), of: user), .code(row))
        }
        let visit = DoorVisit(.compare(try hash(of: user, named: user.name)), of: user)
        return (try takeLogin(attempt, visit, of: user), .code(row))
    }

    private func countWrong(_ row: ActivationRow) throws {
        let left = Self.guesses - row.wrong - 1
        if left > 0 {
            try row.countWrong(on: connection)
        } else {
            _ = try row.use(on: connection)
        }
        try record(
            .enrolmentRefused, user: row.userName, result: .authenticationFailed,
            detail: left > 0 ? "wrong code, guesses left: \(left)" : "wrong code, which is dead now")
    }

    /// Enrols the device; nil where the code or the password does not count any more.
    fileprivate func enrol(
        _ device: DeviceRow, _ name: UserName, _ code: ActivationRow, _ hash: PasswordHash?, _ attempt: UUIDText,
        _ visit: DoorVisit, _ tokens: SessionTokens
    ) throws -> SessionGrant? {
        guard let user = try UserRow.find(name.text, on: connection), user.version == visit.userVersion,
            try ActivationRow.find(code.selector, at: now, on: connection)?.tag == code.tag
        else {
            // Used, dead or replaced meanwhile; the user locked, or with another password.
            try changeLedger(name.text, .login, ceremony: "") { $0.giveBack(attempt) }
            try record(.loginRefused, user: name.text, result: .authenticationFailed)
            return nil
        }
        // Thrown, so that the code stays.
        guard try DeviceRow.find(thumbprint: device.thumbprint, on: connection) == nil, let id = UUIDText(device.id)
        else { throw Refusal(.deviceKeyTaken) }
        guard try settleRightLogin(attempt, visit, of: name) else {
            try record(.loginRefused, user: name.text, result: .authenticationFailed)
            return nil
        }
        guard try code.use(on: connection) else {
            throw StorageError(.conflict, "an activation code was used meanwhile")
        }
        if let hash { try user.setPassword(hash.text, at: now, on: connection) }
        try DeviceRow(
            id: device.id, userName: user.name, name: device.name, thumbprint: device.thumbprint, jwk: device.jwk,
            createdAt: now
        ).insert(on: connection)
        try endActivations(of: device.thumbprint, enrolled: id)
        let grant = try openSession(tokens, of: .person(name), device: id, thumbprint: device.thumbprint)
        try tell(
            DeviceEvent(
                .enrolled, of: name, device: id, name: device.name, by: nil, note: hash == nil ? nil : "password set"))
        return grant
    }
}
