package import CountersignJOSE

extension Claims {
    /// Appends the claims' canonical JSON.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "iss", string: issuer)
        writer.member(name: "sub", string: subject.text)
        if let audience { writer.member(name: "aud", string: audience) }
        writer.member(name: "iat", integer: issuedAt)
        writer.member(name: "jti", string: id.text)
        writer.member(name: "payload", string: payload)
        writer.member(name: "reason", string: reason)
        writer.member(name: "auth_level", integer: Int64(level.rawValue))
        writer.member(name: "authenticator_type", integer: Int64(authenticatorType.rawValue))
        writer.member(name: "acr", string: level.acr)
        if !methods.isEmpty {
            writer.name("amr")
            writer.beginArray()
            for method in methods { writer.string(method.rawValue) }
            writer.endArray()
        }
        if let authTime { writer.member(name: "auth_time", integer: authTime) }
        if let device { writer.member(name: "device", string: device.text) }
        writer.member(name: "ceremony", string: ceremony.text)
        if !reserved.isEmpty { writeReserved(to: &writer) }
        writer.endObject()
    }

    private func writeReserved(to writer: inout JSONWriter) {
        if let value = reserved[.request] { writer.member(name: "request", string: value) }
        if let value = reserved[.notification] { writer.member(name: "notification", string: value) }
        if let value = reserved[.template] { writer.member(name: "template", string: value) }
        if let value = reserved[.batch] { writer.member(name: "batch", string: value) }
        if let value = reserved[.evidence] { writer.member(name: "evidence", string: value) }
        if let value = reserved[.quorum] { writer.member(name: "quorum", string: value) }
    }
}
