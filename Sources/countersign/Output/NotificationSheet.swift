import CountersignClient
import CountersignVerifier
import Notifications

/// A notification for the eyes of its person: all of it, everything escaped.
enum NotificationSheet {
    /// What waits, in the columns of a list.
    static func row(_ record: NotificationRecord) -> [String] {
        let actions = record.actions.map { $0.level > 0 ? "\($0.value) (level \($0.level))" : $0.value }
        return [
            TerminalText.line(record.id), Timestamp.text(milliseconds: record.createdAt),
            "until \(Timestamp.text(milliseconds: record.expiresAt))",
            TerminalText.signed(record.bodies.first?.subject ?? ""),
            actions.isEmpty ? "to read" : TerminalText.line(actions.joined(separator: ", ")),
        ]
    }

    /// The notification, and what each of its actions would sign.
    ///
    /// - Throws: a failure for a language that it does not have.
    static func text(_ record: NotificationRecord, language: String?) throws(Failure) -> String {
        let body = record.bodies.first { body in
            language.map { body.language.utf8.elementsEqual($0.utf8) } ?? true
        }
        guard let body else {
            let languages = record.bodies.map(\.language).joined(separator: ", ")
            throw Failure(.refusedInput, "the notification is not in this language", advice: "It is in \(languages).")
        }
        var facts = [("id", TerminalText.line(record.id)), ("status", TerminalText.line(record.status))]
        facts.append(("from", TerminalText.line(record.client ?? "the service")))
        facts.append(("made", Timestamp.text(milliseconds: record.createdAt)))
        facts.append(("until", Timestamp.text(milliseconds: record.expiresAt)))
        if let time = record.changedAt { facts.append(("changed", Timestamp.text(milliseconds: time))) }
        if let action = record.actionPerformed { facts.append(("answer", TerminalText.line(action))) }
        if let device = record.device { facts.append(("device", TerminalText.line(device))) }
        if let status = record.signingStatus { facts.append(("signing", TerminalText.line(status))) }
        if let id = record.signatureID { facts.append(("statement", TerminalText.line(id))) }
        facts.append(("subject", TerminalText.signed(body.subject)))
        facts += matter(of: record)
        var text = FactSheet.lines(facts) + "\n" + quoted(body.message)
        for action in record.actions {
            let label = body.labels[action.value] ?? action.value
            text += "\n\(TerminalText.line(action.value)) (\(TerminalText.signed(label)))"
            guard record.isSigned(action.value) else {
                text += ": counts at once, nothing is signed\n"
                continue
            }
            let signed = try Failure.explaining { () throws(ServiceError) in
                try record.signedAnswer(action.value, language: language)
            }
            text += ": signs, at level \(action.level),\n"
            text += FactSheet.lines(
                [("payload", TerminalText.signed(signed.payload)), ("reason", TerminalText.signed(signed.reason))],
                indent: "  ")
        }
        return text
    }

    /// What it is about, beyond what it says itself.
    private static func matter(of record: NotificationRecord) -> [(name: String, value: String)] {
        var facts: [(name: String, value: String)] = []
        if let request = record.request {
            facts.append(("request", TerminalText.line(request.id)))
            facts.append(("asks", TerminalText.line(request.asker)))
            if let requester = request.requester { facts.append(("on behalf of", TerminalText.line(requester))) }
            if let quorum = request.quorum { facts.append(("quorum", TerminalText.line(quorum))) }
        }
        if let activation = record.activation {
            facts.append(("new device", TerminalText.signed(activation.name)))
            if let address = activation.address { facts.append(("address", TerminalText.line(address))) }
        }
        switch record.match {
        case .required: facts.append(("match code", "shown where this was asked; an approval needs it"))
        case .offered: facts.append(("match code", TerminalText.line(record.matchCode ?? "")))
        case nil: break
        }
        return facts
    }

    /// The whole text of an answer that is signed by its digest: this program has made the digest of exactly this.
    static func whole(_ answer: SignedAnswer) -> String {
        "The text whose digest is signed:\n" + quoted(answer.text) + "\n"
    }

    /// Lines that cannot be taken for ours.
    private static func quoted(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "  | \(TerminalText.line(String($0)))\n" }.joined()
    }
}
