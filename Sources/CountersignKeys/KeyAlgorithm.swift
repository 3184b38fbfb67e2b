/// The five signature algorithms, by their JOSE names (RFC 7518, RFC 8037). A key has exactly one.
public enum KeyAlgorithm: String, CaseIterable, Sendable, Hashable {
    /// ECDSA over P-256 with SHA-256: the default.
    case es256 = "ES256"
    /// Ed25519. The name `Ed25519` of RFC 9864 is another algorithm identifier and is not accepted here.
    case edDSA = "EdDSA"
    /// ECDSA over P-384 with SHA-384.
    case es384 = "ES384"
    /// RSASSA-PSS with SHA-256, MGF1 with SHA-256, a salt of exactly 32 bytes.
    case ps256 = "PS256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
}

extension KeyAlgorithm {
    /// What the algorithm's keys are made of.
    var keyType: KeyType {
        switch self {
        case .es256: .ec(.p256)
        case .es384: .ec(.p384)
        case .edDSA: .ed25519
        case .ps256, .rs256: .rsa
        }
    }
}

/// The kinds of key that are supported.
enum KeyType: Sendable, Hashable {
    case ec(Curve)
    case ed25519
    case rsa
}

/// The two elliptic curves of ECDSA (FIPS 186-4, D.1.2).
enum Curve: Sendable, Hashable {
    case p256
    case p384

    /// Bytes of a coordinate, of r and of s.
    var width: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        }
    }

    /// The name that OpenSSL and NIST use.
    var name: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        }
    }

    /// The only algorithm for keys on this curve.
    var algorithm: KeyAlgorithm {
        switch self {
        case .p256: .es256
        case .p384: .es384
        }
    }
}

extension KeyAlgorithm {
    /// The curve of an ECDSA algorithm.
    var curve: Curve? {
        guard case .ec(let curve) = keyType else { return nil }
        return curve
    }
}
