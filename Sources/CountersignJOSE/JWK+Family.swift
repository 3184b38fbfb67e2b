import CountersignKeys

extension JWK {
    /// The families of keys that are supported: the values of `kty`.
    enum Family {
        case ec
        case okp
        case rsa

        /// The family of this name, exactly.
        init?(rawValue: String) {
            if rawValue.hasSameUTF8(as: "EC") {
                self = .ec
            } else if rawValue.hasSameUTF8(as: "OKP") {
                self = .okp
            } else if rawValue.hasSameUTF8(as: "RSA") {
                self = .rsa
            } else {
                return nil
            }
        }

        /// The key's one algorithm. A curve has one; RSA has two, so there `alg` must name it.
        func algorithm(of object: JSONObject) throws(JWKRefusal) -> KeyAlgorithm {
            let given = try object.text("alg")
            let candidates: [KeyAlgorithm]
            if self == .rsa {
                candidates = [.ps256, .rs256]
                guard given != nil else {
                    throw JWKRefusal(.missingAlgorithm, "an RSA key must have \"alg\": PS256 or RS256")
                }
            } else {
                let curve = try object.requiredText("crv")
                let all: [KeyAlgorithm] = self == .ec ? [.es256, .es384] : [.edDSA]
                candidates = all.filter { $0.curveName.hasSameUTF8(as: curve) }
                guard !candidates.isEmpty else {
                    throw JWKRefusal(.unknownCurve, "the curve \(quoted(curve)) is not supported")
                }
            }
            guard let algorithm = candidates.first(where: { given?.hasSameUTF8(as: $0.rawValue) ?? true }) else {
                throw JWKRefusal(.wrongAlgorithm, "the algorithm \(quoted(given ?? "")) is not one for this key")
            }
            return algorithm
        }

        /// The numbers of the key.
        func components(of object: JSONObject) throws(JWKRefusal) -> PublicKey.Components {
            switch self {
            case .ec: .ec(x: try object.bytes("x"), y: try object.bytes("y"))
            case .okp: .okp(x: try object.bytes("x"))
            case .rsa: .rsa(modulus: try object.unsignedInteger("n"), exponent: try object.unsignedInteger("e"))
            }
        }
    }
}

extension KeyAlgorithm {
    /// The value of `crv`; empty for RSA, which has none.
    var curveName: String {
        switch self {
        case .es256: "P-256"
        case .es384: "P-384"
        case .edDSA: "Ed25519"
        case .ps256, .rs256: ""
        }
    }
}

extension JSONObject {
    /// A member that is a string, if it is there.
    func text(_ name: String) throws(JWKRefusal) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else {
            throw JWKRefusal(.wrongMemberType, "the member \"\(name)\" is not a string")
        }
        return text
    }

    /// A member that is a string and must be there.
    func requiredText(_ name: String) throws(JWKRefusal) -> String {
        guard let text = try text(name) else { throw JWKRefusal(.missingMember, "the member \"\(name)\" is missing") }
        return text
    }

    /// A member that is base64url and must be there.
    fileprivate func bytes(_ name: String) throws(JWKRefusal) -> [UInt8] {
        guard let bytes = Base64URL.decode(try requiredText(name).utf8.span) else {
            throw JWKRefusal(.badNumber, "the member \"\(name)\" is not base64url")
        }
        return bytes
    }

    /// A member that is a Base64urlUInt: without leading zero bytes.
    fileprivate func unsignedInteger(_ name: String) throws(JWKRefusal) -> [UInt8] {
        let bytes = try bytes(name)
        guard let first = bytes.first, first != 0 else {
            throw JWKRefusal(.badNumber, "the member \"\(name)\" is empty or begins with a zero byte")
        }
        return bytes
    }
}
