/// Why a key was refused, or why an operation with one failed.
public struct KeyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The closed list of what can be wrong.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A type of key, an encoding or an encryption that is not supported.
        case unsupportedKey
        /// Not the encoding that it should be.
        case malformed
        /// An EC key on another curve, or one with its curve spelled out.
        case wrongCurve
        /// The EC or Ed25519 point does not exist.
        case notOnCurve
        /// The EC point is the neutral element.
        case pointAtInfinity
        /// An Ed25519 point of order 1, 2, 4 or 8: anybody can sign for it.
        case smallOrder
        /// An Ed25519 point written in a second way (y not below p).
        case nonCanonicalPoint
        /// RSA under 2,048 bits.
        case modulusTooSmall
        /// RSA over 4,096 bits.
        case modulusTooLarge
        /// An RSA modulus that is even.
        case evenModulus
        /// An RSA public exponent other than 65,537.
        case weakExponent
        /// An RSA modulus whose primes can be found: CVE-2017-15361.
        case weakPrimes
        /// The key is not one for this algorithm, or an algorithm has to be named.
        case algorithmMismatch
        /// The private half is not that of the public half, or is out of its range.
        case keyMismatch
        /// The key is encrypted and no passphrase was given.
        case passphraseNeeded
        /// The passphrase is not the right one.
        case wrongPassphrase
        /// The file asks for more work to derive its key than is allowed.
        case workTooLarge
        /// A signature could not be made.
        case signingFailed
        /// The system gave no random bytes.
        case randomFailed
        /// Sealed bytes were changed, or belong to another key or binding.
        case openFailed
        /// Bytes could not be sealed, or a key could not be exported.
        case sealFailed
        /// A key could not be made.
        case generationFailed
        /// No memory.
        case outOfMemory
    }

    /// What is wrong.
    public let code: Code
    /// What is wrong, for a person. Holds no secret.
    public let detail: String
    /// OpenSSL's own words, for the operator; nil where OpenSSL was not asked.
    public let reason: String?

    /// An error with OpenSSL's reason, if there is one.
    package init(_ code: Code, _ detail: String, reason: String? = nil) {
        self.code = code
        self.detail = detail
        self.reason = reason
    }

    /// `detail`, and OpenSSL's reason behind it.
    public var description: String {
        guard let reason else { return detail }
        return "\(detail) (OpenSSL: \(reason))"
    }
}
