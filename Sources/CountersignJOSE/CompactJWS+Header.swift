import CountersignKeys

extension CompactJWS.Header {
    /// Reads a header and checks what does not depend on the key, as ``CompactJWS/parse(_:type:maxBytes:allowsKey:)``
    /// says. A nil in `types` stands for a header without `typ`.
    package init(_ bytes: [UInt8], types: [StaticString?], allowsKey: Bool) throws(JOSEError) {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: bytes, maxBytes: bytes.count)
        } catch {
            throw JOSEError(error, in: "the header")
        }
        guard let members = json.object else { throw JOSEError(.malformedHeader, "the header is not an object") }
        for name in Self.refused where members[name] != nil && !(allowsKey && name == "jwk") {
            throw JOSEError(.refusedHeaderMember, "the header member \"\(name)\" is not accepted")
        }
        let type = members["typ"]
        let isRight = types.contains { expected in
            guard let expected else { return type == nil }
            return type?.string?.hasSameUTF8(as: expected.description) == true
        }
        guard isRight else {
            let names = types.map { $0.map { "\"\($0)\"" } ?? "absent" }.joined(separator: " or ")
            throw JOSEError(.wrongType, "the header's typ is not \(names)")
        }
        let name = members["alg"]?.string ?? ""
        guard let algorithm = KeyAlgorithm.allCases.first(where: { $0.rawValue.hasSameUTF8(as: name) }) else {
            throw JOSEError(.unsupportedAlgorithm, "the header's alg is not ES256, EdDSA, ES384, PS256 or RS256")
        }
        let keyID = members["kid"]
        guard keyID == nil || keyID?.string?.isEmpty == false else {
            throw JOSEError(.malformedHeader, "the header's kid is no string, or empty")
        }
        self.init(algorithm: algorithm, keyID: keyID?.string, members: members)
    }

    private static let refused = ["crit", "b64", "zip", "jwk", "jku", "x5u", "x5c", "x5t", "x5t#S256"]
}
