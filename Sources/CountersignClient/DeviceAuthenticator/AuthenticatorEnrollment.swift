internal import CountersignJOSE
internal import CountersignVerifier
internal import Notifications
internal import Wire

/// A device of this machine that is enrolled for the push challenges of one person at one service.
public struct AuthenticatorEnrollment: Sendable, Identifiable {
    static let tokenPath = "/v1/devices/current/push-token"

    let profile: Profile
    let authenticator: DeviceAuthenticator
    private let facts: EnrollmentFacts

    init(_ profile: Profile, _ facts: EnrollmentFacts, of authenticator: DeviceAuthenticator) {
        self.profile = profile
        self.facts = facts
        self.authenticator = authenticator
    }

    /// The name of the profile.
    public var id: String { profile.name }
    /// Who is enrolled.
    public var user: String? { profile.user }
    /// The service's URL.
    public var server: String { profile.server }
    /// The id of the device.
    public var device: String { facts.device }

    /// The access token of the profile's own session: the one for the calls about this enrolment.
    ///
    /// - Throws: `serverAPIError` where the session is over: see ``DeviceAuthenticatorError/needsSignIn``.
    public func accessToken() async throws(DeviceAuthenticatorError) -> String {
        do throws(ServiceError) { return try await authenticator.account(profile).accessToken() } catch {
            throw DeviceAuthenticatorError(error)
        }
    }

    /// Tells the service the push token of this launch. Do so for every enrolment each time that one arrives.
    ///
    /// - Parameter authenticationToken: of this enrolment's profile; another's is refused.
    public func updateDeviceToken(
        _ deviceToken: [UInt8], authenticationToken: AuthToken
    ) async throws(DeviceAuthenticatorError) {
        let token = try authenticator.pushToken(deviceToken)
        try await done(.put(Self.tokenPath, SetPushToken(token)), with: authenticationToken)
    }

    /// The challenges that this device has not received: ask when the app is launched, and when it comes to the foreground.
    ///
    /// - Parameter authenticationToken: of this enrolment's profile.
    /// - Throws: `serverAPIError` where the device was removed, or its enrolment.
    public func retrievePushChallenges(
        authenticationToken: AuthToken, allowedClockSkewInSeconds: Int = 300
    ) async throws(DeviceAuthenticatorError) -> [PushChallenge] {
        let messages: [PushChallengeMessage]
        do throws(ServiceError) {
            let holder = try authenticator.holder(authenticationToken, profile)
            messages = try await authenticator.connection(profile).list(.get("/v1/push-challenges"), as: holder)
        } catch {
            throw DeviceAuthenticatorError(error)
        }
        var challenges: [PushChallenge] = []
        for message in messages {
            let unverified: UnverifiedPushChallenge?
            do throws(PushFault) { unverified = try UnverifiedPushChallenge.read(Array(message.challenge.utf8)) } catch
            {
                throw DeviceAuthenticatorError(error)
            }
            guard let unverified, isAddressed(by: unverified.claims) else {
                throw .service(.protocolViolation("the service gave a challenge that is none for this device"))
            }
            let claims = try await verified(unverified, skew: allowedClockSkewInSeconds)
            challenges.append(PushChallenge(claims, to: self, userResponse: .userNotResponded))
        }
        return challenges
    }

    /// Forgets the enrolment here, and here only: the service keeps the device until it is removed there.
    public func deleteFromDevice() throws(DeviceAuthenticatorError) {
        do throws(ServiceError) { try profile.forgetEnrollment() } catch { throw DeviceAuthenticatorError(error) }
    }

    // MARK: Inner parts

    /// Whether a challenge is for this device.
    func isAddressed(by claims: PushClaims) -> Bool { claims.device.text.hasSameUTF8(as: facts.device) }

    /// A call of which only the doing matters.
    func done(_ call: Call, with token: AuthToken) async throws(DeviceAuthenticatorError) {
        do throws(ServiceError) {
            try await authenticator.connection(profile).done(call, as: authenticator.holder(token, profile))
        } catch {
            throw DeviceAuthenticatorError(error)
        }
    }

    /// What a challenge says, where the service signed it and it is its time.
    func verified(
        _ challenge: UnverifiedPushChallenge, skew: Int
    ) async throws(DeviceAuthenticatorError) -> PushClaims {
        let (connection, trust): (ServiceConnection, TrustStore?)
        do throws(ServiceError) {
            connection = try authenticator.connection(profile)
            trust = try await keys(for: challenge, connection)
        } catch {
            throw DeviceAuthenticatorError(error)
        }
        guard let trust else { throw .challengeUntrusted }
        do throws(PushFault) {
            return try challenge.verified(
                by: trust, issuer: facts.issuer, at: connection.surroundings.now(),
                allowedClockSkewInSeconds: Int64(clamping: skew))
        } catch {
            throw DeviceAuthenticatorError(error)
        }
    }

    /// The keys of the service: those that are known, unless the challenge names another, which it may have since.
    ///
    /// - Returns: nil where it names one that was not there a moment ago either.
    private func keys(
        for challenge: UnverifiedPushChallenge, _ connection: ServiceConnection
    ) async throws(ServiceError) -> TrustStore? {
        let keys = authenticator.keys
        guard let known = keys.known(of: connection.origin) else { return try await keys.fetched(connection) }
        return challenge.isKeyKnown(to: known) ? known : try await keys.renewed(connection)
    }
}

extension DeviceAuthenticatorError {
    /// Why a challenge will not do.
    init(_ fault: PushFault) {
        switch fault {
        case .malformed: self = .challengeMalformed
        case .untrusted: self = .challengeUntrusted
        case .expired: self = .challengeExpired
        case .early: self = .challengeEarly
        }
    }
}
