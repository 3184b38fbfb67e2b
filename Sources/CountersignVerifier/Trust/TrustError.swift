/// Why a trust file cannot be used. Nothing was verified then (exit 2 of the command).
public struct TrustError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// Neither a JWKS, nor a key history, nor PEM.
        case unknownFormat
        /// Longer than 1 MiB.
        case tooLong
        /// A JWKS that is malformed, or has the same key id twice.
        case malformedKeySet
        /// A PEM file with something that is no usable public key.
        case malformedPEM
        /// A PEM file with an RSA key, and nobody said what it is for.
        case algorithmNeeded
        /// Not a single key can be used.
        case noUsableKey
        /// A key history without the pin of its root key.
        case rootNotPinned
        /// A pin that is no thumbprint.
        case rootMalformed
        /// A pin for a file that is no history.
        case rootNotExpected
        /// A key history by another root key than the pinned one.
        case rootDiffers
        /// A key history that is malformed, or whose signature is wrong.
        case malformedHistory
    }

    /// What is wrong.
    public let code: Code
    /// More for the person who has the file.
    public let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// What is wrong and what to do.
    public var description: String {
        switch code {
        case .unknownFormat: "this is neither a JWKS, nor a key history, nor PEM: \(detail)"
        case .tooLong: "it is longer than \(TrustStore.maxBytes) bytes"
        case .malformedKeySet: "the key set is malformed: \(detail)"
        case .malformedPEM: "the PEM file cannot be used: \(detail)"
        case .noUsableKey: "it has no usable key: \(detail)"
        case .rootNotPinned: "a key history is trusted only with the thumbprint of its root key (--root)"
        case .algorithmNeeded: "\(detail) is an RSA key, and PEM cannot say for which algorithm"
        case .rootMalformed, .rootNotExpected: "the root key's thumbprint cannot be used: \(detail)"
        case .rootDiffers: "the key history is signed by another root key: \(detail)"
        case .malformedHistory: "the key history is malformed: \(detail)"
        }
    }
}
