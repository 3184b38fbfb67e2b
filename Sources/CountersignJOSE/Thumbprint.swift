public import CountersignKeys

/// The name of a key: the SHA-256 thumbprint of RFC 7638 in base64url, 43 characters.
public enum Thumbprint {
    /// The thumbprint of a key. RFC 7638 section 3.2 says which members count, for Ed25519 RFC 8037 section 2.
    public static func sha256(of key: PublicKey) -> String {
        var writer = JSONWriter(capacity: 1024)
        write(key, to: &writer)
        return Base64URL.encode(SHA256.hash(writer.bytes.span).span)
    }

    /// Writes the members of a key that count, and no other, in the order of RFC 8785: the shortest JWK of the key.
    package static func write(_ key: PublicKey, to writer: inout JSONWriter) {
        writer.beginObject()
        switch key.components {
        case .ec(let x, let y):
            writer.member(name: "crv", string: key.algorithm.curveName)
            writer.member(name: "kty", string: "EC")
            writer.member(name: "x", string: Base64URL.encode(x.span))
            writer.member(name: "y", string: Base64URL.encode(y.span))
        case .okp(let x):
            writer.member(name: "crv", string: key.algorithm.curveName)
            writer.member(name: "kty", string: "OKP")
            writer.member(name: "x", string: Base64URL.encode(x.span))
        case .rsa(let modulus, let exponent):
            writer.member(name: "e", string: Base64URL.encode(exponent.span))
            writer.member(name: "kty", string: "RSA")
            writer.member(name: "n", string: Base64URL.encode(modulus.span))
        }
        writer.endObject()
    }

    /// Whether a text has the form of a thumbprint: 32 bytes in base64url.
    public static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count == 43 && Base64URL.decode(text.utf8.span) != nil
    }
}
