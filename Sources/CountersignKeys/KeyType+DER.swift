extension KeyType {
    /// Reads an AlgorithmIdentifier: the type of a key, and for EC its curve by name.
    init(reading reader: inout DERReader, in bytes: Span<UInt8>) throws(KeyError) {
        guard var algorithm = reader.enter(.sequence, in: bytes),
            let type = algorithm.readObjectIdentifier(in: bytes)
        else { throw .malformedKey }
        switch type {
        case .ec:
            self = .ec(try Self.curve(&algorithm, in: bytes))
        case .ed25519:
            self = .ed25519
        case .rsa:
            guard let null = algorithm.read(.null, in: bytes), null.isEmpty else { throw .malformedKey }
            self = .rsa
        default:
            throw KeyError(
                .unsupportedKey, "a key of type \(type.name) is not supported: use P-256, P-384, Ed25519 or RSA")
        }
        guard algorithm.isAtEnd else { throw .malformedKey }
    }

    private static func curve(_ algorithm: inout DERReader, in bytes: Span<UInt8>) throws(KeyError) -> Curve {
        guard algorithm.nextTag(in: bytes) != .sequence else {
            // RFC 5480 section 2.1.1; CVE-2020-0601 lived on curves that a key brought along.
            throw KeyError(.wrongCurve, "the key spells its curve out: only the names P-256 and P-384 are accepted")
        }
        switch algorithm.readObjectIdentifier(in: bytes) {
        case .p256: return .p256
        case .p384: return .p384
        case let other?: throw KeyError(.wrongCurve, "the curve \(other.name) is not supported: use P-256 or P-384")
        case nil: throw .malformedKey
        }
    }

    /// The algorithm of a key of this type: the only one, or the one that the caller names.
    func algorithm(_ wanted: KeyAlgorithm?) throws(KeyError) -> KeyAlgorithm {
        switch (self, wanted?.keyType) {
        case (.ec(let curve), nil):
            return curve.algorithm
        case (.ed25519, nil):
            return .edDSA
        case (.rsa, nil):
            throw KeyError(.algorithmMismatch, "an RSA key needs to be told its algorithm: PS256 or RS256")
        case (.ec(let curve), .ec(let other)) where curve != other:
            throw KeyError(.wrongCurve, "the key is on \(curve.name), not on \(other.name)")
        case (_, let type?):
            guard type == self, let wanted else {
                throw KeyError(.algorithmMismatch, "this type of key is not one for \(wanted?.rawValue ?? "")")
            }
            return wanted
        }
    }

    /// The DER of the AlgorithmIdentifier.
    var der: [UInt8] {
        switch self {
        case .ec(.p256): DERWriter.sequence(ObjectIdentifier.ec.der, ObjectIdentifier.p256.der)
        case .ec(.p384): DERWriter.sequence(ObjectIdentifier.ec.der, ObjectIdentifier.p384.der)
        case .ed25519: DERWriter.sequence(ObjectIdentifier.ed25519.der)
        case .rsa: DERWriter.sequence(ObjectIdentifier.rsa.der, DERWriter.element(.null, []))
        }
    }
}

extension DERReader {
    mutating func readObjectIdentifier(in bytes: Span<UInt8>) -> ObjectIdentifier? {
        guard let range = read(.objectIdentifier, in: bytes), !range.isEmpty else { return nil }
        return ObjectIdentifier(bytes: bytes.extracting(range).array)
    }
}

extension KeyError {
    /// DER that is not that of a key.
    static var malformedKey: KeyError { KeyError(.malformed, "the bytes are not those of a key (DER)") }
}

extension Span<UInt8> {
    /// A copy.
    var array: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}
