public import CountersignKeys

/// A public signature key as a JSON Web Key: RFC 7517, RFC 7518 section 6, RFC 8037. It names itself: its `kid` is its
/// thumbprint.
public struct JWK: Sendable, Hashable {
    /// The key, with its one algorithm.
    public let key: PublicKey
    /// The key's thumbprint: ``Thumbprint/sha256(of:)``.
    public let keyID: String

    /// A key to be written.
    public init(_ key: PublicKey) {
        self.key = key
        keyID = Thumbprint.sha256(of: key)
    }

    /// A key that was read. Members that are not known are ignored (RFC 7517 section 4), among them certificates: nothing
    /// but the numbers is believed. Refused is what ``JWKRefusal/Code`` lists.
    public init(_ object: JSONObject) throws(JWKRefusal) {
        for name in Self.privateMembers where object[name] != nil {
            if name == "k" { throw JWKRefusal(.symmetric, "a symmetric key (member \"k\")") }
            throw JWKRefusal(.privateMember, "a private key (member \"\(name)\")")
        }
        if let revoked = object["revoked"] {
            let reason = revoked.object?["reason"]?.string.map { " (\(quoted($0)))" } ?? ""
            throw JWKRefusal(.lifetimeMember, "the key was revoked\(reason)")
        }
        for name in ["exp", "nbf"] where object[name] != nil {
            throw JWKRefusal(.lifetimeMember, "the member \"\(name)\" has no meaning in a plain key set")
        }
        let type = try object.requiredText("kty")
        guard let family = Family(rawValue: type) else {
            if type == "oct" { throw JWKRefusal(.symmetric, "a symmetric key (kty \"oct\")") }
            throw JWKRefusal(.unknownKeyType, "kty \(quoted(type)) is not supported")
        }
        try Self.checkUse(of: object)
        let algorithm = try family.algorithm(of: object)
        let components = try family.components(of: object)
        do throws(KeyError) {
            key = try PublicKey(components, algorithm: algorithm)
        } catch {
            throw JWKRefusal(.key(error.code), error.detail)
        }
        keyID = Thumbprint.sha256(of: key)
        if let given = try object.text("kid"), !given.hasSameUTF8(as: keyID) {
            throw JWKRefusal(.wrongKeyID, "the kid \(quoted(given)) is not the key's thumbprint \(keyID)")
        }
    }

    /// The key with the members `alg`, `kid` and `use`, in the order of RFC 8785.
    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 1024)
        write(to: &writer)
        return writer.bytes
    }

    /// Writes the key as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "alg", string: key.algorithm.rawValue)
        switch key.components {
        case .ec(let x, let y):
            writer.member(name: "crv", string: key.algorithm.curveName)
            writer.member(name: "kid", string: keyID)
            writer.member(name: "kty", string: "EC")
            writer.member(name: "use", string: "sig")
            writer.member(name: "x", string: Base64URL.encode(x.span))
            writer.member(name: "y", string: Base64URL.encode(y.span))
        case .okp(let x):
            writer.member(name: "crv", string: key.algorithm.curveName)
            writer.member(name: "kid", string: keyID)
            writer.member(name: "kty", string: "OKP")
            writer.member(name: "use", string: "sig")
            writer.member(name: "x", string: Base64URL.encode(x.span))
        case .rsa(let modulus, let exponent):
            writer.member(name: "e", string: Base64URL.encode(exponent.span))
            writer.member(name: "kid", string: keyID)
            writer.member(name: "kty", string: "RSA")
            writer.member(name: "n", string: Base64URL.encode(modulus.span))
            writer.member(name: "use", string: "sig")
        }
        writer.endObject()
    }

    /// RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1, RFC 8037 section 2.
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    /// RFC 7517 sections 4.2 and 4.3.
    private static func checkUse(of object: JSONObject) throws(JWKRefusal) {
        if let use = try object.text("use"), !use.hasSameUTF8(as: "sig") {
            throw JWKRefusal(.notForSignatures, "a key for another use: \(quoted(use))")
        }
        guard let value = object["key_ops"] else { return }
        guard let elements = value.array else {
            throw JWKRefusal(.wrongMemberType, "the member \"key_ops\" is not an array of strings")
        }
        var operations = JSONObject()
        for element in elements {
            guard let operation = element.string else {
                throw JWKRefusal(.wrongMemberType, "the member \"key_ops\" is not an array of strings")
            }
            guard !operations.contains(operation) else {
                throw JWKRefusal(.notForVerifying, "the member \"key_ops\" names an operation twice")
            }
            operations.append(operation, .null)
        }
        guard operations.contains("verify") else {
            throw JWKRefusal(.notForVerifying, "the member \"key_ops\" does not name \"verify\"")
        }
    }
}
