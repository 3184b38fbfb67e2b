package import CountersignJOSE
internal import CountersignVerifier
package import Notifications
package import Signing

/// What a notification says in one language.
package struct NotificationBodyMessage: WireMessage {
    /// A language tag.
    package let language: String
    /// The heading.
    package let subject: String
    /// The text.
    package let message: String
    /// What each action is called, by its value, in the order of the message.
    package let labels: [(action: String, label: String)]

    /// The body of a notification, with the labels of these actions.
    package init(_ body: NotificationBody, _ actions: [NotificationAction]) {
        language = body.language
        subject = body.subject
        message = body.message
        labels = actions.map { ($0.name, body.labels[$0.name] ?? $0.name) }
    }

    /// Its members. Texts may be longer here than the rules allow, so that the rules say what is wrong.
    package static let shape = Shape(
        "NotificationBody",
        [
            .required("lng", .line, "a language tag, such as en or de-CH"),
            .required("subject", .text(max: 65_536), "1 to 200 characters"),
            .required("message", .text(max: 65_536), "1 to 2,000 characters"),
            .optional("labels", .object, "what each action is called, by its value: 1 to 64 characters"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        language = try members.string("lng")
        subject = try members.string("subject")
        message = try members.string("message")
        var labels: [(String, String)] = []
        for member in members.optionalObject("labels")?.members ?? [] {
            guard let label = member.value.string else { throw Refusal(.memberValue, .member("labels")) }
            labels.append((member.name, label))
        }
        self.labels = labels
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "lng", string: language)
        writer.member(name: "subject", string: subject)
        writer.member(name: "message", string: message)
        if !labels.isEmpty {
            writer.name("labels")
            writer.beginObject()
            for (action, label) in labels {
                writer.name(text: action)
                writer.string(label)
            }
            writer.endObject()
        }
        writer.endObject()
    }

    /// The body, by the rules.
    ///
    /// - Throws: `notificationMalformed`.
    package func body() throws(Refusal) -> NotificationBody {
        var texts: [String: String] = [:]
        for (action, label) in labels {
            guard action.utf8.allSatisfy({ $0 < 0x80 }) else {
                throw Refusal(.notificationMalformed, .member("labels"))
            }
            texts[action] = label
        }
        return try NotificationBody(language: language, subject: subject, message: message, labels: texts)
    }
}

/// One thing that can be answered.
package struct NotificationActionMessage: WireMessage {
    /// The value.
    package let action: String
    /// The level of authentication.
    package let level: Int

    /// An action.
    package init(_ action: NotificationAction) {
        self.action = action.name
        level = action.level.rawValue
    }

    /// Its members.
    package static let shape = Shape(
        "NotificationAction",
        [
            .required("action", .line, "its value: 1 to 64 printable ASCII characters, not NONE"),
            .required("authLevel", .anyInteger, "0: it counts at once; 1 or 4: it is signed"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        action = try members.string("action")
        level = try members.int("authLevel")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "action", string: action)
        writer.member(name: "authLevel", integer: level)
        writer.endObject()
    }
}

extension NotificationContent {
    /// What bodies and actions say together, by the rules.
    ///
    /// - Throws: `notificationMalformed`, `methodNotSupported`.
    package init(_ bodies: [NotificationBodyMessage], _ actions: [NotificationActionMessage]) throws(Refusal) {
        var (parsed, offered): ([NotificationBody], [NotificationAction]) = ([], [])
        for body in bodies { parsed.append(try body.body()) }
        for action in actions { offered.append(try NotificationAction(name: action.action, level: action.level)) }
        try self.init(bodies: parsed, actions: offered)
    }
}

extension JSONWriter {
    /// A member that is a message; nothing where there is none.
    mutating func member(name: StaticString, message: (some WireMessage)?) {
        guard let message else { return }
        self.name(name)
        message.write(to: &self)
    }

    /// A member that is an array of messages.
    mutating func member(name: StaticString, messages: [some WireMessage]) {
        self.name(name)
        beginArray()
        for message in messages { message.write(to: &self) }
        endArray()
    }
}
