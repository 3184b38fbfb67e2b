import CountersignJOSE
import CountersignVerifier
import Wire

/// A store at a glance.
enum StatusText {
    static func lines(_ status: StatusMessage, at location: Location) -> String {
        var facts: [(String, String)] = [
            ("\(location.kind)", TextEscape.escaped(location.text)),
            ("issuer", TextEscape.escaped(status.issuer)),
            ("signing key", TextEscape.escaped(status.signingKey ?? "none")),
        ]
        if let root = status.rootKey {
            facts.append(("root key", TextEscape.escaped(root) + (status.holdsRootKey ? "" : " (kept elsewhere)")))
        }
        facts.append(("users", Figures.grouped(status.users)))
        facts.append(("statements", Figures.grouped(status.statements)))
        facts.append(("open", Figures.grouped(status.openCeremonies)))
        facts.append(("made", Timestamp.text(milliseconds: status.createdAt)))
        return FactSheet.lines(facts)
    }

    static func json(_ status: StatusMessage, at location: Location) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(name: location.kind, string: location.text)
        writer.member(name: "id", string: status.id)
        writer.member(name: "issuer", string: status.issuer)
        if let key = status.signingKey { writer.member(name: "signingKey", string: key) }
        if let key = status.rootKey { writer.member(name: "rootKey", string: key) }
        writer.name("holdsRootKey")
        writer.bool(status.holdsRootKey)
        writer.member(name: "users", integer: Int64(status.users))
        writer.member(name: "statements", integer: Int64(status.statements))
        writer.member(name: "openCeremonies", integer: Int64(status.openCeremonies))
        writer.member(name: "auditRows", integer: Int64(status.auditRows))
        writer.member(name: "createdAt", integer: status.createdAt)
        if let time = status.newestTime { writer.member(name: "newestTime", integer: time) }
        writer.endObject()
        return writer.bytes
    }
}
