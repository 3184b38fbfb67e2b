internal import CountersignKeys
internal import Sessions
internal import Signing
internal import Wire

/// Somebody's device at a service: logs in, signs, and asks what its owner may ask. Tokens are refreshed and proofs made as they
/// are needed; several processes may use one profile at once.
///
/// ```swift
/// let profile = try ProfileDirectory.standard().profile("work")
/// let account = try Account(profile)
/// let signing = try await account.startSigning(payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
/// let signed = try await signing.answer(with: Secret(bytes: password))
/// print(signed.result?.statement ?? "")
/// ```
public final class Account: Sendable {
    let connection: ServiceConnection
    let authorizer: DeviceAuthorizer
    let profile: Profile
    /// How the service is asked, which the profile keeps once somebody has logged in so.
    private let options: ServiceOptions

    /// The account of a profile.
    ///
    /// - Parameters:
    ///   - passcode: That of the profile's key, where it is encrypted.
    ///   - options: How the service is asked; what the profile says of its certificates holds where these say nothing. A log-in
    ///     that succeeds keeps them in the profile.
    /// - Throws: `local` where the key cannot be used.
    public convenience init(
        _ profile: Profile, passcode: Secret? = nil, options: ServiceOptions = ServiceOptions()
    ) throws(ServiceError) {
        let options = profile.options(options)
        try self.init(profile, passcode: passcode, options: options, surroundings: Surroundings(options))
    }

    /// An account in given surroundings.
    package init(
        _ profile: Profile, passcode: Secret?, options: ServiceOptions, surroundings: Surroundings
    ) throws(ServiceError) {
        self.profile = profile
        let key = try profile.key(passcode)
        self.options = profile.options(options)
        connection = try ServiceConnection(profile.server, self.options, surroundings)
        authorizer = try DeviceAuthorizer(profile, key: key, connection)
    }

    /// Scheme, host and port of the service.
    public var origin: String { connection.origin.text }

    // MARK: Logging in and out

    /// Enrols this device for a user and logs in. A user without a password gets this one.
    ///
    /// - Parameters:
    ///   - activationCode: The code from the operator, as it was typed.
    ///   - deviceName: How the device will be called: 3 to 50 characters.
    /// - Throws: `refused` with 102 for an unknown user, a wrong code and a wrong password alike.
    public func enrol(
        user: String, activationCode: String, password: Secret, deviceName: String
    ) async throws(ServiceError) {
        let message = EnrolDevice(
            user: user, activationCode: activationCode, password: password.bytes, deviceName: deviceName)
        try await take(connection.message(.post("/v1/devices", message, isCostly: true), as: authorizer.proofOnly))
    }

    /// Logs in with this device, which is enrolled.
    ///
    /// - Throws: `refused` with 102 where anything of it is wrong.
    public func logIn(user: String, password: Secret) async throws(ServiceError) {
        let message = LogIn(user: user, password: password.bytes)
        try await take(connection.message(.post("/v1/sessions", message, isCostly: true), as: authorizer.proofOnly))
    }

    /// Logs in as the operator, with a token that is good for one log-in.
    public func logIn(operatorToken: Secret) async throws(ServiceError) {
        let message = LogInOperator(token: operatorToken.bytes)
        try await take(connection.message(.post("/v1/operator/sessions", message), as: authorizer.proofOnly))
    }

    /// Ends the session. One that has ended already is fine.
    public func logOut() async throws(ServiceError) {
        do throws(ServiceError) {
            try await connection.done(.delete("/v1/sessions/current"), as: authorizer)
        } catch {
            guard error.needsLogIn else { throw error }
        }
        try await authorizer.forget()
    }

    /// Keeps what a log-in gave.
    func take(_ grant: GrantMessage) async throws(ServiceError) {
        guard grant.tokenType == .dpop else { throw .protocolViolation("the service gave a token without a key") }
        try await authorizer.take(grant)
        try profile.keep(grant, options)
    }

    // MARK: Sessions and devices

    /// The live sessions of the account's owner, newest first.
    public func sessions() async throws(ServiceError) -> [SessionRecord] {
        let sessions: [SessionMessage] = try await connection.list(.get("/v1/sessions"), as: authorizer)
        return sessions.map(SessionRecord.init)
    }

    /// Ends a session of the account's owner.
    public func endSession(_ id: String) async throws(ServiceError) {
        try await connection.done(.delete("/v1/sessions/\(Call.segment(id))"), as: authorizer)
    }

    /// The devices of the account's owner, oldest first, and whether they can be changed now.
    public func devices() async throws(ServiceError) -> DeviceListRecord {
        DeviceListRecord(try await connection.message(.get("/v1/devices"), as: authorizer))
    }

    /// Renames and deletes devices of the account's owner: all that are named, or none.
    ///
    /// ```swift
    /// let devices = try await account.devices().devices
    /// if let old = devices.first(where: { $0.name == "Old phone" }) {
    ///     try await account.updateDevices([.delete(old.id)])
    /// }
    /// ```
    ///
    /// - Returns: the devices as they are then.
    /// - Throws: `refused` with 146 during the cooling-off, whose end is ``ServiceRefusal/until``; 1600 for a device that is none of
    ///   theirs; 1601 or 1602 for the deletion of the one that asks; 1603 to 1607 for a name; 1608 for another operation.
    @discardableResult
    public func updateDevices(_ changes: [DeviceChange]) async throws(ServiceError) -> DeviceListRecord {
        let message = UpdateDevices(changes.map(\.message))
        return DeviceListRecord(try await connection.message(.patch("/v1/devices", message), as: authorizer))
    }

    // MARK: Statements

    /// A page of the account owner's statements, newest first; of the operator's, of all.
    public func statements(
        _ filter: StatementFilter = StatementFilter(), startIndex: Int = 1, count: Int = 100
    ) async throws(ServiceError) -> [StatementRecord] {
        let statements: [StatementMessage] = try await connection.list(
            filter.call(startIndex: startIndex, count: count), as: authorizer)
        return statements.map(StatementRecord.init)
    }

    /// A statement by its id.
    public func statement(_ signatureID: String) async throws(ServiceError) -> StatementRecord {
        StatementRecord(
            try await connection.message(.get("/v1/statements/\(Call.segment(signatureID))"), as: authorizer))
    }

    // MARK: Others

    /// What only the operator may ask.
    public var `operator`: Operator { Operator(connection: connection, authorizer: authorizer) }

    /// The header fields with which another program, such as curl, makes one request as this account: `Authorization` and
    /// `DPoP`. They are good for one request, within a minute or two.
    ///
    /// - Parameters:
    ///   - url: The request's URL. Its query and fragment are not part of a proof.
    ///   - isLoggedIn: False makes a proof for a request that has no token yet, such as a log-in.
    ///   - nonce: A nonce of the service that the caller just got; nil: the service is asked for one.
    public func proof(
        _ method: String, _ url: String, isLoggedIn: Bool = true, nonce: String? = nil
    ) async throws(ServiceError) -> [(name: String, value: String)] {
        guard connection.origin.contains(url) else {
            throw .local("\(url) is not at \(origin), and a proof for another place is not made")
        }
        let end = url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.endIndex
        let target = String(url[..<end])
        guard isLoggedIn else {
            if nonce == nil, let newest = try await connection.newestNonce(for: authorizer.key) {
                authorizer.take(nonce: newest)
            }
            let proof = try connection.proof(
                method, target, token: nil, nonce: nonce ?? authorizer.nonce, key: authorizer.key)
            return [("DPoP", proof)]
        }
        // A call that changes nothing brings a nonce of now, and a token that still lives.
        if nonce == nil { _ = try await sessions() }
        let credentials = try await authorizer.credentials()
        let proof = try connection.proof(
            method, target, token: credentials.token, nonce: nonce ?? authorizer.nonce, key: authorizer.key)
        return [("Authorization", credentials.authorization ?? ""), ("DPoP", proof)]
    }
}
