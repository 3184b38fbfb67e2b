internal import CountersignJOSE
internal import CountersignKeys
package import Wire

/// A new device on its way to its user, as it stood when it was last asked for. One of the user's devices lets it in.
///
/// ```swift
/// let activation = try await account.beginActivation(user: "alice", deviceName: "Alice's tablet").verify()
/// print("On your other device: \(activation.matchCode ?? "")")
/// if try await activation.decided().state == .approved {
///     try await activation.finish(password: password)
/// }
/// ```
public struct DeviceActivation: Sendable {
    /// How far it is.
    public enum State: String, Sendable, CaseIterable {
        /// One of the ``DeviceActivation/options`` has to be chosen.
        case offered
        /// The user's other devices are asked; the ``DeviceActivation/matchCode`` has to be shown.
        case waiting
        /// One of them approved: the password is missing.
        case approved
        /// An activation code lets it in: ``Account/enrol(user:activationCode:password:deviceName:)``.
        case fallback
        /// The user rejected it.
        case rejected
        /// It was given up.
        case cancelled
        /// It took too long.
        case expired
        /// The device is the user's.
        case activated
    }

    /// The message it came in.
    package let message: ActivationMessage
    /// How far it is.
    public let state: State
    private let account: Account

    init(_ message: ActivationMessage, of account: Account) throws(ServiceError) {
        guard let state = State(rawValue: message.state) else {
            throw .protocolViolation("the service's activation is in a state that there is none of")
        }
        self.message = message
        self.state = state
        self.account = account
    }

    /// Its id, by which this device asks for it again: see ``Account/activation(_:)``.
    public var id: String { message.id }
    /// How the device can be let in: `verify`, `activation-code`.
    public var options: [String] { message.options }
    /// While it waits: what this device shows, and whoever approves it confirms.
    public var matchCode: String? { message.matchCode }
    /// In how many seconds it ends if nothing happens; 0: it is over.
    public var expiresIn: Int64 { message.expiresIn }

    /// Asks the user's other devices: `performVerifyAuth(true)`. A second time nothing more happens.
    ///
    /// - Throws: `refused` with 1721 or 1811 where that user was asked too often, 1611 where the service has no such way, and with what
    ///   became of it.
    public func verify() async throws(ServiceError) -> DeviceActivation {
        try await changed(.post("\(path)/verify"))
    }

    /// Goes on with an activation code, also while the others are asked: `fallbackNewDeviceActivationFlow`.
    ///
    /// - Throws: as ``verify()``.
    public func fallBack() async throws(ServiceError) -> DeviceActivation {
        try await changed(.post("\(path)/fallback"))
    }

    /// The activation as it is now.
    ///
    /// - Parameter seconds: So long the service may wait for a change first.
    public func refreshed(waitingFor seconds: Int = 0) async throws(ServiceError) -> DeviceActivation {
        try await changed(.get(path, wait: seconds))
    }

    /// The activation once it waits no longer: approved, or over. A service that is away is asked again until the activation's own time
    /// is over.
    ///
    /// - Parameter trouble: Is told why the service cannot be asked now, once each time that it goes away.
    public func decided(
        trouble: @Sendable (ServiceError) -> Void = { _ in }
    ) async throws(ServiceError) -> DeviceActivation {
        var now = self
        let surroundings = account.connection.surroundings
        while now.state == .waiting {
            let (asked, last) = (surroundings.now(), now)
            now = try await last.persisting(trouble) { () throws(ServiceError) in
                try await last.refreshed(waitingFor: 20)
            }
            guard now.state == .waiting, surroundings.now() < asked + 2_000 else { continue }
            // The service did not wait.
            do { try await surroundings.sleep(.seconds(2)) } catch { throw .cancelled }
        }
        return now
    }

    /// Logs in: the device is the user's then, and its account has a session. Where nothing could be sent, that is tried again until the
    /// activation's own time is over.
    ///
    /// - Parameter trouble: Is told why the service cannot be asked now, once.
    /// - Throws: `refused` with 102 for a wrong password, 1614 where nobody has approved yet, and with what became of it.
    public func finish(
        password: Secret, trouble: @Sendable (ServiceError) -> Void = { _ in }
    ) async throws(ServiceError) {
        let message = FinishActivation(password: password.bytes)
        let call = try Call.post("\(path)/finish", message, isCostly: true)
        let grant: GrantMessage = try await persisting(trouble, unless: \.mayBeDone) { () throws(ServiceError) in
            try await account.connection.message(call, as: account.authorizer.proofOnly)
        }
        try await account.take(grant)
    }

    /// Gives up: `performVerifyAuth(false)`, `resetAuthState`. In any state, twice too.
    public func cancel() async throws(ServiceError) {
        try await account.connection.done(.delete(path), as: account.authorizer.proofOnly)
    }

    /// Does something that can be done again while the service is away, until the time is over that the activation has as it is known
    /// here: after 1 second, 2, 4, then each 8.
    private func persisting<Value>(
        _ trouble: (ServiceError) -> Void, unless isOver: (ServiceError) -> Bool = { _ in false },
        _ body: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        let surroundings = account.connection.surroundings
        let end = surroundings.now() + expiresIn * 1000
        var pause = Duration.seconds(1)
        while true {
            do throws(ServiceError) {
                return try await body()
            } catch {
                guard error.isPassing, !isOver(error), surroundings.now() < end else { throw error }
                if pause == .seconds(1) { trouble(error) }
            }
            do { try await surroundings.sleep(pause) } catch { throw .cancelled }
            pause = min(pause * 2, .seconds(8))
        }
    }

    private var path: String { "/v1/activations/\(Call.segment(id))" }

    private func changed(_ call: Call) async throws(ServiceError) -> DeviceActivation {
        let message: ActivationMessage = try await account.connection.message(call, as: account.authorizer.proofOnly)
        guard message.id.hasSameUTF8(as: id) else {
            throw .protocolViolation("the service answered for another activation")
        }
        return try DeviceActivation(message, of: account)
    }
}

extension Account {
    /// Begins the activation of this device, which the service does not know yet: `addNewDeviceOptions`. Whether there is such a user
    /// the service does not say: where there is none, nobody approves.
    ///
    /// - Parameter deviceName: How the device will be called: 3 to 50 characters.
    /// - Throws: `refused` with 1841 where this key is a device's already.
    public func beginActivation(user: String, deviceName: String) async throws(ServiceError) -> DeviceActivation {
        let message: ActivationMessage = try await connection.message(
            .post("/v1/activations", BeginActivation(user: user, name: deviceName)), as: authorizer.proofOnly)
        return try DeviceActivation(message, of: self)
    }

    /// An activation of this device that was begun, also by an earlier process.
    ///
    /// - Throws: `refused` with 1612 where there is none, or not any more.
    public func activation(_ id: String) async throws(ServiceError) -> DeviceActivation {
        let message: ActivationMessage = try await connection.message(
            .get("/v1/activations/\(Call.segment(id))"), as: authorizer.proofOnly)
        guard message.id.hasSameUTF8(as: id) else {
            throw .protocolViolation("the service answered for another activation")
        }
        return try DeviceActivation(message, of: self)
    }
}
