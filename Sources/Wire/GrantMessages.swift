package import CountersignJOSE
package import CountersignKeys
internal import CountersignVerifier
package import Sessions
package import Signing

/// `POST /v1/devices`: the first log-in of a device, with an activation code. The device's key proves itself by DPoP.
package struct EnrolDevice: WireMessage {
    /// Whose device it is.
    package let user: String
    /// The code from the operator, as it was typed.
    package let activationCode: String
    /// The password: the new one of a user without, else theirs.
    package let password: SecretBytes
    /// How the device is called.
    package let deviceName: String

    /// A request.
    package init(user: String, activationCode: String, password: SecretBytes, deviceName: String) {
        self.user = user
        self.activationCode = activationCode
        self.password = password
        self.deviceName = deviceName
    }

    /// Its members.
    package static let shape = Shape(
        "EnrolDevice",
        [
            .required("user", .line, "whose device it is"),
            .required("activationCode", .line, "the code from the operator; case and hyphens do not matter"),
            .required("password", .secret, "a new one where the user has none, else theirs"),
            .required("deviceName", .text(max: 65_536), "how the device is called: 3 to 50 characters"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        user = try members.string("user")
        activationCode = try members.string("activationCode")
        password = try members.secret("password")
        deviceName = try members.string("deviceName")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "user", string: user)
        writer.member(name: "activationCode", string: activationCode)
        writer.member(name: "password", secret: password)
        writer.member(name: "deviceName", string: deviceName)
        writer.endObject()
    }
}

/// `POST /v1/sessions`: a log-in of a device that is enrolled.
package struct LogIn: WireMessage {
    /// Who logs in.
    package let user: String
    /// The password.
    package let password: SecretBytes

    /// A request.
    package init(user: String, password: SecretBytes) {
        self.user = user
        self.password = password
    }

    /// Its members.
    package static let shape = Shape(
        "LogIn", [.required("user", .line, "who logs in"), .required("password", .secret)])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        user = try members.string("user")
        password = try members.secret("password")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "user", string: user)
        writer.member(name: "password", secret: password)
        writer.endObject()
    }
}

/// `POST /v1/operator/sessions`: a log-in of the operator, with a token that is good for one.
package struct LogInOperator: WireMessage {
    /// The token.
    package let token: SecretBytes

    /// A request.
    package init(token: SecretBytes) { self.token = token }

    /// Its members.
    package static let shape = Shape("LogInOperator", [.required("token", .secret, "good for one log-in")])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) { token = try members.secret("token") }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "token", secret: token)
        writer.endObject()
    }
}

/// A session that began or was refreshed: RFC 6749 section 5.1, and what it belongs to.
package struct GrantMessage: WireMessage {
    /// How the access token is presented.
    package typealias TokenType = SessionGrant.TokenType

    /// Whose session it is.
    package enum Role: String, Sendable, CaseIterable { case person, service, `operator` }

    /// The access token.
    package let accessToken: String
    /// How it is presented.
    package let tokenType: TokenType
    /// How long it lives, in seconds.
    package let expiresIn: Int
    /// The refresh token.
    package let refreshToken: String?
    /// The id of the session.
    package let session: String
    /// The id of the device.
    package let device: String?
    /// Whose session it is.
    package let role: Role
    /// The user of a person's session.
    package let user: String?
    /// The name of a relying service.
    package let client: String?

    /// A grant.
    package init(
        accessToken: String, tokenType: TokenType, expiresIn: Int, refreshToken: String? = nil, session: String,
        device: String? = nil, role: Role, user: String? = nil, client: String? = nil
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
        self.session = session
        self.device = device
        self.role = role
        self.user = user
        self.client = client
    }

    /// The grant of a session.
    package init(_ grant: SessionGrant) {
        let session = grant.session
        var (role, user, client): (Role, String?, String?) = (.operator, nil, nil)
        switch session.owner {
        case .person(let name): (role, user) = (.person, name.text)
        case .service(let name): (role, client) = (.service, name.text)
        case .operator: break
        }
        self.init(
            accessToken: grant.accessToken.text, tokenType: grant.tokenType, expiresIn: grant.expiresIn,
            refreshToken: grant.refreshToken?.text, session: session.id.text, device: session.device?.text, role: role,
            user: user, client: client)
    }

    /// Its members.
    package static let shape = Shape(
        "Grant",
        [
            .required("access_token", .line), .required("token_type", .word(TokenType.allCases.map(\.rawValue))),
            .required("expires_in", .count, "in seconds"), .optional("refresh_token", .line),
            .required("session", .uuid, "the id of the session"), .optional("device", .uuid, "the id of the device"),
            .required("role", .word(Role.allCases.map(\.rawValue))), .optional("user", .line),
            .optional("client", .line),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        guard let type = TokenType(rawValue: try members.string("token_type")) else {
            throw Refusal(.memberValue, .member("token_type"))
        }
        guard let role = Role(rawValue: try members.string("role")) else {
            throw Refusal(.memberValue, .member("role"))
        }
        self.init(
            accessToken: try members.string("access_token"), tokenType: type, expiresIn: try members.int("expires_in"),
            refreshToken: members.optionalString("refresh_token"), session: try members.string("session"),
            device: members.optionalString("device"), role: role, user: members.optionalString("user"),
            client: members.optionalString("client"))
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "access_token", string: accessToken)
        writer.member(name: "token_type", string: tokenType.rawValue)
        writer.member(name: "expires_in", integer: expiresIn)
        writer.member(name: "refresh_token", string: refreshToken)
        writer.member(name: "session", string: session)
        writer.member(name: "device", string: device)
        writer.member(name: "role", string: role.rawValue)
        writer.member(name: "user", string: user)
        writer.member(name: "client", string: client)
        writer.endObject()
    }
}
