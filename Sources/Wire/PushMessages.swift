package import CountersignJOSE
package import Notifications
package import Signing

/// `PUT /v1/devices/current/push-token`: where the pushes of this device go.
package struct SetPushToken: WireMessage {
    /// Who carries them.
    package let transport: String
    /// Which of its services.
    package let environment: String
    /// What the push service gave the app, in hexadecimal.
    package let token: String

    /// A token.
    package init(_ token: PushToken) {
        transport = token.transport.rawValue
        environment = token.environment.rawValue
        self.token = token.text
    }

    /// Its members.
    package static let shape = Shape(
        "SetPushToken",
        [
            .required("transport", .word(PushToken.Transport.allCases.map(\.rawValue)), "who carries pushes"),
            .required("environment", .word(PushToken.Environment.allCases.map(\.rawValue))),
            .required("token", .line, "1 to 256 bytes in lower-case hexadecimal"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        transport = try members.string("transport")
        environment = try members.string("environment")
        token = try members.string("token")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "transport", string: transport)
        writer.member(name: "environment", string: environment)
        writer.member(name: "token", string: token)
        writer.endObject()
    }

    /// The token, by the rules.
    ///
    /// - Throws: `pushTokenMalformed`.
    package func checked() throws(Refusal) -> PushToken {
        guard let transport = PushToken.Transport(rawValue: transport),
            let environment = PushToken.Environment(rawValue: environment)
        else { throw Refusal(.pushTokenMalformed) }
        return try PushToken(transport: transport, environment: environment, text: token)
    }
}

/// A push challenge for the device that asks.
package struct PushChallengeMessage: ListedMessage {
    /// The notification that waits.
    package let notification: String
    /// The signed challenge.
    package let challenge: String

    /// A challenge.
    package init(notification: String, challenge: String) {
        self.notification = notification
        self.challenge = challenge
    }

    /// `{"challenges": [...]}`.
    package static var listName: StaticString { "challenges" }

    /// Its members.
    package static let shape = Shape(
        "PushChallenge",
        [
            .required("notification", .uuid, "what waits"),
            .required("challenge", .text(max: PushClaims.maxBytes), "a compact JWS: docs/push.md"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        notification = try members.string("notification")
        challenge = try members.string("challenge")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "notification", string: notification)
        writer.member(name: "challenge", string: challenge)
        writer.endObject()
    }
}
