/// A private key with the one algorithm that it is for. OpenSSL holds it; nothing shows it but an export.
package struct PrivateKey: Sendable, CustomStringConvertible {
    /// The public half, which was checked.
    package let publicKey: PublicKey

    /// What the key signs with.
    package var algorithm: KeyAlgorithm { publicKey.algorithm }

    /// Never the key itself.
    package var description: String { "PrivateKey(\(algorithm.rawValue))" }

    let handle: KeyHandle
    private let signing: SignatureContext

    /// A new key. `rsaBits` counts for RSA alone: 2,048 to 4,096, a multiple of 8.
    package init(generating algorithm: KeyAlgorithm, rsaBits: Int = 3072) throws(KeyError) {
        guard algorithm.keyType != .rsa || rsaBits >= RSALimits.bits.lowerBound else {
            throw KeyError(.modulusTooSmall, "an RSA key has at least \(RSALimits.bits.lowerBound) bits")
        }
        guard algorithm.keyType != .rsa || rsaBits <= RSALimits.bits.upperBound else {
            throw KeyError(.modulusTooLarge, "an RSA key has at most \(RSALimits.bits.upperBound) bits")
        }
        // OpenSSL would quietly round down.
        guard algorithm.keyType != .rsa || rsaBits.isMultiple(of: 8) else {
            throw KeyError(.generationFailed, "the bits of an RSA key are a multiple of 8")
        }
        try self.init(try KeyHandle(generating: algorithm.keyType, rsaBits: rsaBits), algorithm: algorithm)
    }

    /// Takes a key as it is, checks it, and makes it prove that its halves belong together: one signature, verified
    /// with the public half (K3).
    init(_ handle: KeyHandle, algorithm: KeyAlgorithm) throws(KeyError) {
        self.handle = handle
        publicKey = try PublicKey(try handle.components(algorithm.keyType), algorithm: algorithm)
        signing = try SignatureContext(.sign, key: handle, algorithm: algorithm)
        let proof: [UInt8] = Array("countersign: do the halves of this key belong together?".utf8)
        guard handle.isPrivateHalfInRange, let signature = try? sign(proof.span),
            publicKey.isValid(signature.span, for: proof.span)
        else {
            throw .fromOpenSSL(.keyMismatch, "the private half does not belong to the public half")
        }
    }

    /// The signature of `message`. For many of them, `makeSigner()` is faster.
    package func sign(_ message: Span<UInt8>) throws(KeyError) -> [UInt8] {
        try makeSigner().sign(message)
    }

    /// A signer for one thread.
    package func makeSigner() -> Signer {
        Signer(signing, signatureLength: publicKey.signatureLength)
    }
}
