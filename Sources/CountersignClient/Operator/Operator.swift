internal import Wire

/// What only the operator may ask: ``Account/operator``. With another account, all of it is refused with 1827.
///
/// ```swift
/// let code = try await account.operator.makeActivationCode(for: "alice")
/// print(code.code)
/// ```
public struct Operator: Sendable {
    let connection: ServiceConnection
    let authorizer: DeviceAuthorizer

    // MARK: Users

    /// All users, by name.
    public func users() async throws(ServiceError) -> [UserRecord] {
        let users: [UserMessage] = try await connection.list(.get("/v1/users"), as: authorizer)
        return users.map(UserRecord.init)
    }

    /// A user.
    public func user(_ name: String) async throws(ServiceError) -> UserRecord {
        UserRecord(try await connection.message(.get(path(name)), as: authorizer))
    }

    /// Adds a user, without a password: they set one when they enrol their first device. The name is theirs for ever.
    public func addUser(_ name: String) async throws(ServiceError) {
        try await connection.done(.post("/v1/users", AddUser(user: name)), as: authorizer)
    }

    /// Locks a user: they cannot sign until they are unlocked.
    public func lock(_ name: String) async throws(ServiceError) {
        try await connection.done(.post(path(name) + "/lock"), as: authorizer)
    }

    /// Unlocks a user and lifts what wrong answers brought.
    public func unlock(_ name: String) async throws(ServiceError) {
        try await connection.done(.post(path(name) + "/unlock"), as: authorizer)
    }

    /// Makes a code with which a user enrols a device. It replaces one that was not used.
    public func makeActivationCode(for name: String) async throws(ServiceError) -> ActivationCodeRecord {
        ActivationCodeRecord(
            try await connection.message(.post(path(name) + "/activation-codes"), as: authorizer))
    }

    /// Takes a user's password away and ends their sessions; with an activation code they set another.
    public func clearPassword(of name: String) async throws(ServiceError) {
        try await connection.done(.delete(path(name) + "/password"), as: authorizer)
    }

    /// A user's live sessions.
    public func sessions(of name: String) async throws(ServiceError) -> [SessionRecord] {
        let sessions: [SessionMessage] = try await connection.list(.get(path(name) + "/sessions"), as: authorizer)
        return sessions.map(SessionRecord.init)
    }

    /// Ends a user's sessions.
    ///
    /// - Returns: how many; nil where the service does not say.
    @discardableResult
    public func endSessions(of name: String) async throws(ServiceError) -> Int? {
        try await connection.count(.delete(path(name) + "/sessions"), as: authorizer)
    }

    // MARK: Devices

    /// A user's devices, oldest first; deleted ones too.
    public func devices(of name: String) async throws(ServiceError) -> DeviceListRecord {
        DeviceListRecord(try await connection.message(.get(path(name) + "/devices"), as: authorizer))
    }

    /// Blocks a device: its sessions end at once, and it cannot log in until it is unblocked.
    @discardableResult
    public func blockDevice(_ id: String, of name: String) async throws(ServiceError) -> DeviceRecord {
        DeviceRecord(try await connection.message(.post(path(name, device: id) + "/block"), as: authorizer))
    }

    /// Lets a device log in again that was blocked.
    @discardableResult
    public func unblockDevice(_ id: String, of name: String) async throws(ServiceError) -> DeviceRecord {
        DeviceRecord(try await connection.message(.post(path(name, device: id) + "/unblock"), as: authorizer))
    }

    /// Deletes a device, even the last one of its user: its sessions end at once, and it never comes back.
    public func deleteDevice(_ id: String, of name: String) async throws(ServiceError) {
        try await connection.done(.delete(path(name, device: id)), as: authorizer)
    }

    // MARK: Signings

    /// Ends a signing, whoever's it is.
    public func resetSigning(_ id: String) async throws(ServiceError) {
        try await connection.done(.delete("/v1/signings/\(Call.segment(id))"), as: authorizer)
    }

    /// Ends all open signings of a user.
    ///
    /// - Returns: how many; nil where the service does not say.
    @discardableResult
    public func resetSignings(of name: String) async throws(ServiceError) -> Int? {
        try await connection.count(.delete(path(name) + "/signings"), as: authorizer)
    }

    /// Ends all open signings.
    ///
    /// - Returns: how many; nil where the service does not say.
    @discardableResult
    public func resetSignings() async throws(ServiceError) -> Int? {
        try await connection.count(.delete("/v1/signings"), as: authorizer)
    }

    // MARK: Audit, settings, status

    /// A page of what happened, newest first.
    public func audit(
        _ filter: AuditFilter = AuditFilter(), startIndex: Int = 1, count: Int = 100
    ) async throws(ServiceError) -> [AuditRecord] {
        let entries: [AuditMessage] = try await connection.list(
            filter.call(startIndex: startIndex, count: count), as: authorizer)
        return entries.map(AuditRecord.init)
    }

    /// All of what happened, newest first, in constant memory: a page is asked for when the one before was taken, so however long
    /// `each` takes, nothing is lost, and nothing that is added meanwhile moves the rest.
    ///
    /// - Parameter each: is given each entry; false: no more is wanted.
    public func audit(
        _ filter: AuditFilter = AuditFilter(), each: @escaping @Sendable (AuditRecord) -> Bool
    ) async throws(ServiceError) {
        var filter = filter
        while true {
            let entries = try await audit(filter, count: Self.auditPage)
            for entry in entries {
                guard let number = entry.number, filter.before.map({ number < $0 }) ?? true else {
                    throw .protocolViolation("the entries of the service's audit are in no order")
                }
                filter.before = number
                guard each(entry) else { return }
            }
            guard entries.count == Self.auditPage else { return }
        }
    }

    private static let auditPage = 1000

    /// All settings.
    public func settings() async throws(ServiceError) -> [SettingRecord] {
        let settings: [SettingMessage] = try await connection.list(.get("/v1/settings"), as: authorizer)
        return settings.map(SettingRecord.init)
    }

    /// Changes a setting.
    ///
    /// - Throws: `refused` with 1848 for an unknown one, 1849 for a value that it does not take.
    public func set(_ setting: String, to value: String) async throws(ServiceError) {
        try await connection.done(
            .put("/v1/settings/\(Call.segment(setting))", ChangeSetting(value: value)), as: authorizer)
    }

    /// The service at a glance.
    public func status() async throws(ServiceError) -> StatusRecord {
        StatusRecord(try await connection.message(.get("/v1/status"), as: authorizer))
    }

    private func path(_ user: String) -> String { "/v1/users/\(Call.segment(user))" }
    private func path(_ user: String, device: String) -> String { path(user) + "/devices/\(Call.segment(device))" }
}
