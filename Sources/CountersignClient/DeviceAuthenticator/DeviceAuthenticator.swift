internal import CountersignVerifier
internal import Notifications
internal import Signing
internal import Synchronization
internal import Wire

/// An app's part of push challenges: its devices at their services, and what arrives for them. Make one when the app is launched.
///
/// ```swift
/// var config = ApplicationConfig(profiles: try ProfileDirectory.standard())
/// config.approveActionTitle = "Approve"
/// let authenticator = DeviceAuthenticator(config)
/// ```
public final class DeviceAuthenticator: Sendable {
    /// How the app is set up.
    public let applicationConfig: ApplicationConfig
    let keys = KnownKeys()
    private let surroundings: @Sendable (ServiceOptions) throws(ServiceError) -> Surroundings
    /// Those that were made, by the certificates that they trust: connections are kept open for the next call.
    private let known = Mutex<[String: Surroundings]>([:])

    /// The newest nonce of each service.
    private let nonces = Mutex<[String: NonceBox]>([:])

    /// An app's part.
    public convenience init(_ applicationConfig: ApplicationConfig) {
        self.init(applicationConfig) { options throws(ServiceError) in try Surroundings(options) }
    }

    /// The same in given surroundings.
    package init(
        _ applicationConfig: ApplicationConfig,
        surroundings: @escaping @Sendable (ServiceOptions) throws(ServiceError) -> Surroundings
    ) {
        self.applicationConfig = applicationConfig
        self.surroundings = surroundings
    }

    // MARK: Enrolling

    /// Enrols a device, whose person is logged in, for push challenges. Once more is fine: the service has the new token then.
    ///
    /// - Parameters:
    ///   - authenticationToken: of the profile that `authenticatorConfig` names.
    ///   - enrollmentParameters: with the push token of this launch.
    /// - Throws: `deviceTokenMissing` without one; `serverAPIError` where the service refuses, such as an access token that is over.
    public func enroll(
        authenticationToken: AuthToken, authenticatorConfig: AuthenticatorConfig,
        enrollmentParameters: EnrollmentParameters
    ) async throws(DeviceAuthenticatorError) -> AuthenticatorEnrollment {
        let token = try pushToken(enrollmentParameters.deviceToken)
        do throws(ServiceError) {
            let profile = try applicationConfig.profiles.profile(authenticatorConfig.oidcClientId)
            let connection = try connection(profile)
            let named = try ServiceOrigin(authenticatorConfig.orgURL, allowsPlainHTTP: true)
            guard named == connection.origin else {
                throw .local("the profile \(profile.name) is for \(connection.origin.text), not for \(named.text)")
            }
            guard let device = profile.device else {
                throw .local("the profile \(profile.name) has no device: enrol or log in with it first")
            }
            let issuer = try await CountersignService(connection: connection).metadata().issuer
            let holder = try holder(authenticationToken, profile)
            try await connection.done(.put(AuthenticatorEnrollment.tokenPath, SetPushToken(token)), as: holder)
            let facts = EnrollmentFacts(issuer: issuer, device: device)
            try profile.keep(facts)
            return AuthenticatorEnrollment(profile, facts, of: self)
        } catch {
            throw DeviceAuthenticatorError(error)
        }
    }

    /// The enrolments of this machine, by the names of their profiles. A profile that is damaged is not among them.
    public func allEnrollments() throws(DeviceAuthenticatorError) -> [AuthenticatorEnrollment] {
        let names: [String]
        do throws(ServiceError) { names = try applicationConfig.profiles.names() } catch {
            throw DeviceAuthenticatorError(error)
        }
        return names.compactMap { name in
            guard let profile = try? applicationConfig.profiles.profile(name), let facts = try? profile.enrollment
            else { return nil }
            return AuthenticatorEnrollment(profile, facts, of: self)
        }
    }

    /// Ends an enrolment on the service, and then here. The device stays what it is otherwise, and its person logged in.
    ///
    /// - Throws: `serverAPIError` where the service has none any more, or the device was removed: nothing is forgotten here then, and
    ///   ``AuthenticatorEnrollment/deleteFromDevice()`` does that.
    public func delete(
        enrollment: AuthenticatorEnrollment, authenticationToken: AuthToken
    ) async throws(DeviceAuthenticatorError) {
        try await enrollment.done(.delete(AuthenticatorEnrollment.tokenPath), with: authenticationToken)
        try enrollment.deleteFromDevice()
    }

    // MARK: What arrives

    /// Reads what a push brought: a challenge, or the JSON object of a push service with one in its member `countersign`.
    ///
    /// - Parameter allowedClockSkewInSeconds: how far the clocks may be apart, on both sides.
    /// - Returns: nil for what is none of ours, and so for the app itself to handle.
    /// - Throws: `challengeExpired` and the others for one of ours that will not do; `service` where the keys to verify it cannot be had.
    public func parsePushNotification(
        _ push: [UInt8], allowedClockSkewInSeconds: Int = 300
    ) async throws(DeviceAuthenticatorError) -> PushChallenge? {
        try await challenge(push, skew: allowedClockSkewInSeconds, .userNotResponded)
    }

    /// Reads what a push brought together with the quick action that the person chose.
    public func parsePushNotificationResponse(
        _ response: PushNotificationResponse, allowedClockSkewInSeconds: Int = 300
    ) async throws(DeviceAuthenticatorError) -> PushChallenge? {
        try await challenge(response.push, skew: allowedClockSkewInSeconds, response.userResponse)
    }

    private func challenge(
        _ push: [UInt8], skew: Int, _ response: PushChallenge.UserResponse
    ) async throws(DeviceAuthenticatorError) -> PushChallenge? {
        let unverified: UnverifiedPushChallenge?
        do throws(PushFault) { unverified = try UnverifiedPushChallenge.read(push) } catch {
            throw DeviceAuthenticatorError(error)
        }
        guard let unverified,
            let enrollment = try allEnrollments().first(where: { $0.isAddressed(by: unverified.claims) })
        else { return nil }
        return PushChallenge(
            try await enrollment.verified(unverified, skew: skew), to: enrollment, userResponse: response)
    }

    // MARK: Inner parts

    func connection(_ profile: Profile) throws(ServiceError) -> ServiceConnection {
        let options = profile.options(applicationConfig.service)
        return try ServiceConnection(profile.server, options, try ground(options))
    }

    func account(_ profile: Profile) throws(ServiceError) -> Account {
        let options = profile.options(applicationConfig.service)
        return try Account(
            profile, passcode: passcode(of: profile), options: options, surroundings: try ground(options))
    }

    /// The authorization of a call about a profile's device, by an access token that the app brought.
    func holder(_ token: AuthToken, _ profile: Profile) throws(ServiceError) -> HeldToken {
        let box = nonces.withLock { nonces in
            let box = nonces[profile.server] ?? NonceBox()
            nonces[profile.server] = box
            return box
        }
        return HeldToken(token, key: try profile.key(passcode(of: profile)), nonces: box)
    }

    private func passcode(of profile: Profile) -> Secret? { applicationConfig.passcode?(profile.name) }

    func pushToken(_ deviceToken: [UInt8]) throws(DeviceAuthenticatorError) -> PushToken {
        guard !deviceToken.isEmpty else { throw .deviceTokenMissing }
        let environment: PushToken.Environment =
            switch applicationConfig.pushSettings.apsEnvironment {
            case .production: .production
            case .development: .development
            }
        do throws(Refusal) {
            return try PushToken(transport: .apns, environment: environment, text: Hex.text(of: deviceToken))
        } catch {
            throw DeviceAuthenticatorError(error)
        }
    }

    private func ground(_ options: ServiceOptions) throws(ServiceError) -> Surroundings {
        let place = options.certificateAuthorities ?? ""
        if let made = known.withLock({ $0[place] }) { return made }
        let made = try surroundings(options)
        return known.withLock { known in
            if let other = known[place] { return other }
            known[place] = made
            return made
        }
    }
}
