package import CountersignJOSE
package import Signing

/// `POST /v1/clients`: a relying service. Without a key, a secret is made for it.
package struct AddClient: WireMessage {
    /// Its name, for ever.
    package let client: String
    /// Its public key.
    package let key: JWK?

    /// A relying service.
    package init(client: String, key: JWK? = nil) {
        self.client = client
        self.key = key
    }

    /// Its members.
    package static let shape = Shape(
        "AddClient",
        [
            .required("client", .line, "1 to 64 of a-z 0-9 . _ -, the first a letter or digit"),
            .optional("jwk", .object, "its public key; without it a secret is made"),
        ])

    /// Takes what was read.
    ///
    /// - Throws: `deviceKeyRefused` for a key that is none, private or weak.
    package init(_ members: Members) throws(Refusal) {
        client = try members.string("client")
        guard let object = members.optionalObject("jwk") else {
            key = nil
            return
        }
        do throws(JWKRefusal) { key = try JWK(object) } catch { throw Refusal(.deviceKeyRefused) }
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "client", string: client)
        if let key {
            writer.name("jwk")
            key.write(to: &writer)
        }
        writer.endObject()
    }
}
