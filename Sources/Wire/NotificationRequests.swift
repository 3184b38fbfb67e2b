package import CountersignJOSE
package import Signing

/// `POST /v1/notifications`: tells or asks a person something.
package struct CreateNotification: WireMessage {
    /// Whom it is for.
    package let user: String
    /// What it says, in each language.
    package let bodies: [NotificationBodyMessage]
    /// What can be answered.
    package let actions: [NotificationActionMessage]
    /// How long it lives, in seconds; nil: five minutes with actions, a week without.
    package let expiresIn: Int64?
    /// The enterprise that it belongs to, where there are several.
    package let enterprise: String?

    /// A notification.
    package init(
        user: String, bodies: [NotificationBodyMessage], actions: [NotificationActionMessage], expiresIn: Int64?,
        enterprise: String?
    ) {
        self.user = user
        self.bodies = bodies
        self.actions = actions
        self.expiresIn = expiresIn
        self.enterprise = enterprise
    }

    /// Its members.
    package static let shape = Shape(
        "CreateNotification",
        [
            .required("user", .line, "whom it is for"),
            .required(
                "body",
                .list(.message(NotificationBodyMessage.shape), max: 10, otherwise: .notificationMalformed),
                "the same in 1 to 10 languages; the first counts where none is chosen"),
            .optional(
                "actions",
                .list(.message(NotificationActionMessage.shape), max: 8, otherwise: .notificationMalformed),
                "what can be answered; without any it is for reading only"),
            .optional("expiresIn", .anyInteger, "10 to 2,592,000 seconds; else 300 with actions, 604,800 without"),
            .optional("enterprise", .line, "1 to 64 visible ASCII characters"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        user = try members.string("user")
        bodies = try members.messages("body")
        actions = try members.optionalMessages("actions")
        expiresIn = members.optionalInteger("expiresIn")
        enterprise = members.optionalString("enterprise")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "user", string: user)
        writer.member(name: "body", messages: bodies)
        writer.member(name: "actions", messages: actions)
        writer.member(name: "expiresIn", integer: expiresIn)
        writer.member(name: "enterprise", string: enterprise)
        writer.endObject()
    }
}

/// `POST /v1/notifications/{id}/answer`: chooses an action.
package struct AnswerNotification: WireMessage {
    /// Its value.
    package let action: String
    /// The language in which the person read it; nil: the first.
    package let language: String?
    /// The match code, where the person brought one.
    package let matchCode: String?
    /// Whether they say that it was not they who began this.
    package let isNotMe: Bool
    /// Whether, besides, none of their devices is to be asked about new ones any more.
    package let blocksActivations: Bool

    /// A choice.
    package init(
        action: String, language: String? = nil, matchCode: String? = nil, isNotMe: Bool = false,
        blocksActivations: Bool = false
    ) {
        self.action = action
        self.language = language
        self.matchCode = matchCode
        self.isNotMe = isNotMe
        self.blocksActivations = blocksActivations
    }

    /// Its members.
    package static let shape = Shape(
        "AnswerNotification",
        [
            .required("action", .line, "the value of an action that is offered, exactly"),
            .optional("language", .line, "in which it was read, and which is signed; else the first"),
            .optional("match_code", .line, "the two digits that are shown where this was asked; for Accept"),
            .optional("not_me", .flag, "that the person did not begin this; only to reject a new device"),
            .optional(
                "block", .flag, "with not_me: that they let in no new device any more, until the operator lifts it"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        action = try members.string("action")
        language = members.optionalString("language")
        matchCode = members.optionalString("match_code")
        isNotMe = members.optionalFlag("not_me") ?? false
        blocksActivations = members.optionalFlag("block") ?? false
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "action", string: action)
        writer.member(name: "language", string: language)
        writer.member(name: "match_code", string: matchCode)
        writer.member(name: "not_me", flag: isNotMe ? true : nil)
        writer.member(name: "block", flag: blocksActivations ? true : nil)
        writer.endObject()
    }
}

/// What came of choosing an action.
package struct NotificationAnswerMessage: WireMessage {
    /// The notification as it is now.
    package let notification: NotificationMessage
    /// The signing that the choice needs; nil where it counts already.
    package let signing: SigningMessage?

    /// An answer.
    package init(notification: NotificationMessage, signing: SigningMessage?) {
        self.notification = notification
        self.signing = signing
    }

    /// Its members.
    package static let shape = Shape(
        "NotificationAnswer",
        [
            .required("notification", .message(NotificationMessage.shape), "as it is now"),
            .optional("signing", .message(SigningMessage.shape), "to be answered at its own routes, then it counts"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        guard let object = members.optionalObject("notification") else {
            throw Refusal(.memberMissing, .member("notification"))
        }
        notification = try NotificationMessage(object)
        guard let object = members.optionalObject("signing") else {
            signing = nil
            return
        }
        signing = try SigningMessage(object)
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("notification")
        notification.write(to: &writer)
        if let signing {
            writer.name("signing")
            signing.write(to: &writer)
        }
        writer.endObject()
    }
}
