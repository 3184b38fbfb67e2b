/// A public key that was checked when it was made, with the one algorithm that it is for.
public struct PublicKey: Sendable, Hashable {
    /// The numbers of a key, big-endian.
    public enum Components: Sendable, Hashable {
        /// The coordinates of a point, each at the full width of the curve: 32 bytes for P-256, 48 for P-384.
        case ec(x: [UInt8], y: [UInt8])
        /// The 32 bytes of an Ed25519 key (RFC 8032 section 5.1.2), as they are.
        case okp(x: [UInt8])
        /// Modulus and public exponent without leading zeros.
        case rsa(modulus: [UInt8], exponent: [UInt8])
    }

    /// What the key's signatures are made with. Nothing else is ever accepted for it.
    public let algorithm: KeyAlgorithm
    /// The numbers of the key.
    public let components: Components

    let verification: SignatureContext

    /// Bytes of every signature of this key.
    var signatureLength: Int {
        switch components {
        case .ec(let x, _): 2 * x.count
        case .okp: 64
        case .rsa(let modulus, _): modulus.count
        }
    }

    /// A key of its numbers. Refused: a point that is not on the curve, coordinates of another length, Ed25519 points of
    /// small order or in a second spelling; RSA under 2,048 or over 4,096 bits, an even modulus, an exponent other
    /// than 65,537. Lengths are looked at before anything is computed.
    public init(_ components: Components, algorithm: KeyAlgorithm) throws(KeyError) {
        let handle = try KeyHandle(components, algorithm: algorithm)
        self.components = components
        self.algorithm = algorithm
        verification = try SignatureContext(.verify, key: handle, algorithm: algorithm)
    }

    /// Whether `signature` is this key's over `message`. For many of them, `makeVerifier()` is faster.
    public func isValid(_ signature: Span<UInt8>, for message: Span<UInt8>) -> Bool {
        makeVerifier().isValid(signature, for: message)
    }

    /// A verifier for one thread.
    public func makeVerifier() -> SignatureVerifier {
        SignatureVerifier(verification, signatureLength: signatureLength)
    }

    /// Two keys are the same if their algorithm and their numbers are.
    public static func == (left: PublicKey, right: PublicKey) -> Bool {
        left.algorithm == right.algorithm && left.components == right.components
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(algorithm)
        hasher.combine(components)
    }
}
