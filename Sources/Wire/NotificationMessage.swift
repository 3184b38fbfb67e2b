package import CountersignJOSE
internal import CountersignVerifier
package import Notifications
package import Signing

/// A notification as it stands. Times are milliseconds since 1970.
package struct NotificationMessage: ListedMessage {
    /// Its id.
    package let id: String
    /// Whom it is for.
    package let user: String
    /// What became of it.
    package let status: String
    /// What it says, in each language.
    package let bodies: [NotificationBodyMessage]
    /// What can be answered; empty where it is over (rule H19).
    package let actions: [NotificationActionMessage]
    /// When it was made.
    package let createdAt: Int64
    /// When it ends, or would have ended.
    package let expiresAt: Int64
    /// When it was answered or closed; absent while it is pending.
    package let changedAt: Int64?
    /// The action that was performed, or NONE; absent while it is pending (rule H12).
    package let actionPerformed: String?
    /// The device that answered.
    package let device: String?
    /// `SIGNED` or `FAILED`; absent where nothing was to be signed (rule O36).
    package let signingStatus: String?
    /// The id of the statement that says the answer.
    package let signatureID: String?
    /// The enterprise that it belongs to.
    package let enterprise: String?
    /// The relying service that asked.
    package let client: String?
    /// What it is about.
    package let matter: String
    /// What is to be signed, where it is about a signing request.
    package let request: RequestMatterMessage?
    /// Which device wants to join, where it is about that.
    package let activation: ActivationMatterMessage?
    /// `required`: whoever approves must bring the match code; `offered`: they are shown it.
    package let match: String?
    /// The match code, where it is offered. One that is required is never in here: else it would prove nothing.
    package let matchCode: String?

    /// The message with these members.
    package init(
        _ notification: Notification, signingStatus: String? = nil, enterprise: String? = nil, client: String? = nil
    ) {
        let (content, state) = (notification.content, notification.state)
        let actions = state.status.isFinal ? [] : content.actions
        id = notification.id.text
        user = notification.user.text
        status = state.status.rawValue
        bodies = content.bodies.map { NotificationBodyMessage($0, actions) }
        self.actions = actions.map(NotificationActionMessage.init)
        createdAt = notification.createdAt
        expiresAt = notification.expiresAt
        changedAt = state.changedAt
        var answer: Notification.Answer?
        if case .updated(let some) = state { answer = some }
        actionPerformed = state.status.isFinal ? answer?.action ?? NotificationAction.none : nil
        device = answer?.device.text
        signatureID = answer?.signature?.text
        self.signingStatus = signingStatus
        self.enterprise = enterprise
        self.client = client
        matter = notification.matter.word.rawValue
        switch notification.matter {
        case .message: (request, activation) = (nil, nil)
        case .request(let asked): (request, activation) = (RequestMatterMessage(asked), nil)
        case .activation(let device): (request, activation) = (nil, ActivationMatterMessage(device))
        }
        let match = state.status.isFinal ? nil : notification.match
        self.match = match?.mode.rawValue
        matchCode = match?.mode == .offered ? match?.code.text : nil
    }

    /// `{"notifications": [...]}`.
    package static var listName: StaticString { "notifications" }

    /// Ten languages with eight labels each, and the rest.
    package static var valuesEach: Int { 200 }

    /// Ten languages of 2,000 characters each.
    package static var areLong: Bool { true }

    /// Its members.
    package static let shape = Shape(
        "Notification",
        [
            .required("id", .uuid),
            .required("user", .line, "whom it is for"),
            .required("status", .word(Notification.Status.allCases.map(\.rawValue))),
            .required(
                "body", .list(.message(NotificationBodyMessage.shape), max: 10, otherwise: .memberValue),
                "the same in one or more languages"),
            .required(
                "actions", .list(.message(NotificationActionMessage.shape), max: 8, otherwise: .memberValue),
                "what can be answered; empty where it is over"),
            .required("createdAt", .time),
            .required("expiresAt", .time, "at this time it is over"),
            .optional("changedAt", .time, "when it was answered or closed"),
            .optional("actionPerformed", .line, "the action, or NONE; absent while it is pending"),
            .optional("device", .uuid, "the device that answered"),
            .optional("signingStatus", .word(["SIGNED", "FAILED"]), "what became of the signing of an answer"),
            .optional("dataSignatureID", .uuid, "the id of the statement that says the answer"),
            .optional("enterprise", .line),
            .optional("client", .line, "the relying service that asked"),
            .required("matter", .word(NotificationMatter.Word.allCases.map(\.rawValue)), "what it is about"),
            .optional("request", .message(RequestMatterMessage.shape), "what is to be signed"),
            .optional("activation", .message(ActivationMatterMessage.shape), "which device wants to join"),
            .optional(
                "match", .word(Match.Mode.allCases.map(\.rawValue)),
                "whether whoever approves must bring the match code, or is shown it"),
            .optional("match_code", .line, "the match code, where it is offered"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        id = try members.string("id")
        user = try members.string("user")
        status = try members.string("status")
        bodies = try members.messages("body")
        actions = try members.messages("actions")
        createdAt = try members.integer("createdAt")
        expiresAt = try members.integer("expiresAt")
        changedAt = members.optionalInteger("changedAt")
        actionPerformed = members.optionalString("actionPerformed")
        device = members.optionalString("device")
        signingStatus = members.optionalString("signingStatus")
        signatureID = members.optionalString("dataSignatureID")
        enterprise = members.optionalString("enterprise")
        client = members.optionalString("client")
        matter = try members.string("matter")
        request = try members.optionalMessage("request")
        activation = try members.optionalMessage("activation")
        match = members.optionalString("match")
        matchCode = members.optionalString("match_code")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "id", string: id)
        writer.member(name: "user", string: user)
        writer.member(name: "status", string: status)
        writer.member(name: "body", messages: bodies)
        writer.member(name: "actions", messages: actions)
        writer.member(name: "createdAt", integer: createdAt)
        writer.member(name: "expiresAt", integer: expiresAt)
        writer.member(name: "changedAt", integer: changedAt)
        writer.member(name: "actionPerformed", string: actionPerformed)
        writer.member(name: "device", string: device)
        writer.member(name: "signingStatus", string: signingStatus)
        writer.member(name: "dataSignatureID", string: signatureID)
        writer.member(name: "enterprise", string: enterprise)
        writer.member(name: "client", string: client)
        writer.member(name: "matter", string: matter)
        writer.member(name: "request", message: request)
        writer.member(name: "activation", message: activation)
        writer.member(name: "match", string: match)
        writer.member(name: "match_code", string: matchCode)
        writer.endObject()
    }
}
