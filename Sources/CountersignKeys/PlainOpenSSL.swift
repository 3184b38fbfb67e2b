import COpenSSL

/// OpenSSL's own calls and nothing else, one signature at a time, as fast as they go from one thread: the digest in a kept context,
/// the key in another. An ECDSA signature stays the DER that OpenSSL makes. It is the limit that measurements are shown beside.
///
/// For one thread at a time.
package final class PlainOpenSSL {
    /// A message with its signature as OpenSSL spells it.
    package struct SignedMessage: Sendable {
        fileprivate let message: [UInt8]
        fileprivate let signature: [UInt8]
    }

    /// The bytes of the longest signature: RSA of 4,096 bits.
    private static let width = 512

    private let signing: Pair
    private let verifying: Pair
    private let digest: MessageDigest
    private let curve: Curve?
    private let signatureLength: Int
    private var signatures: [UInt8] = []
    private var lengths: [Int] = []

    /// Gets ready for one key.
    package init(_ key: PrivateKey) throws(KeyError) {
        let algorithm = key.algorithm
        signing = Pair(try SignatureContext(.sign, key: key.handle, algorithm: algorithm))
        verifying = Pair(try SignatureContext(.verify, key: key.handle, algorithm: algorithm))
        digest = MessageDigest(algorithm == .es384 ? .sha384 : .sha256)
        curve = algorithm.curve
        signatureLength = key.publicKey.signatureLength
    }

    /// Signs a message so many times, into room that is kept for the next time.
    package func sign(_ message: [UInt8], times: Int) throws(KeyError) {
        if lengths.count < times { signatures = Array(repeating: 0, count: times * Self.width) }
        lengths = Array(repeating: 0, count: times)
        let isDone = unsafe message.withUnsafeBufferPointer { message in
            unsafe signatures.withUnsafeMutableBufferPointer { signatures in
                guard let start = signatures.baseAddress else { return false }
                for index in 0..<times {
                    lengths[index] = unsafe sign(message, to: start + index * Self.width)
                    if lengths[index] == 0 { return false }
                }
                return true
            }
        }
        guard isDone else { throw .fromOpenSSL(.signingFailed, "OpenSSL does not sign") }
    }

    /// Whether everything that the last `sign` made is valid.
    package func areValid(for message: [UInt8]) -> Bool {
        lengths.indices.allSatisfy { index in
            let start = index * Self.width
            return isValid(
                SignedMessage(message: message, signature: Array(signatures[start..<start + lengths[index]])))
        }
    }

    /// A message with a signature as JOSE has it: ECDSA's r and s side by side. Nil for one of another length.
    package func signedMessage(_ message: [UInt8], _ signature: [UInt8]) -> SignedMessage? {
        guard signature.count == signatureLength else { return nil }
        guard let curve else { return SignedMessage(message: message, signature: signature) }
        let der = unsafe [UInt8](unsafeUninitializedCapacity: ECDSASignature.maxDERCount) { output, count in
            unsafe signature.withUnsafeBufferPointer { signature in
                guard let start = output.baseAddress else { return }
                count = unsafe ECDSASignature.writeDER(of: signature, width: curve.width, to: start)
            }
        }
        return SignedMessage(message: message, signature: der)
    }

    /// Whether a signature is valid.
    package func isValid(_ signed: SignedMessage) -> Bool {
        let isValid = unsafe signed.message.withUnsafeBufferPointer { message in
            unsafe signed.signature.withUnsafeBufferPointer { unsafe check($0, message) }
        }
        if !isValid { OpenSSLErrors.clear() }
        return isValid
    }

    /// - Returns: the bytes of the signature, 0 where it fails.
    private func sign(_ message: UnsafeBufferPointer<UInt8>, to output: UnsafeMutablePointer<UInt8>) -> Int {
        var count = Self.width
        switch unsafe signing.context.handle {
        case .whole(let context):
            return signing.withWhole {
                unsafe EVP_DigestSign(context, output, &count, message.baseAddress, message.count) == 1
            } ? count : 0
        case .digest(let context):
            return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
                guard let hash = buffer.baseAddress, unsafe digest.hash(message, into: hash) else { return 0 }
                return unsafe EVP_PKEY_sign(context, output, &count, hash, digest.count) == 1 ? count : 0
            }
        }
    }

    private func check(_ signature: UnsafeBufferPointer<UInt8>, _ message: UnsafeBufferPointer<UInt8>) -> Bool {
        switch unsafe verifying.context.handle {
        case .whole(let context):
            return verifying.withWhole {
                unsafe EVP_DigestVerify(
                    context, signature.baseAddress, signature.count, message.baseAddress, message.count) == 1
            }
        case .digest(let context):
            return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
                guard let hash = buffer.baseAddress, unsafe digest.hash(message, into: hash) else { return false }
                return unsafe EVP_PKEY_verify(context, signature.baseAddress, signature.count, hash, digest.count) == 1
            }
        }
    }
}

/// A context that works, and the one that it is a copy of.
private final class Pair {
    let context: SignatureContext
    private let template: SignatureContext
    /// Some versions of OpenSSL use a context for Ed25519 once.
    private var isCopiedEachTime = false

    init(_ template: SignatureContext) {
        self.template = template
        context = SignatureContext(copying: template)
    }

    /// Does what a context for whole messages is for, from the second time on as fast as this version of OpenSSL allows.
    func withWhole(_ body: () -> Bool) -> Bool {
        if !isCopiedEachTime {
            if body() { return true }
            isCopiedEachTime = true
        }
        guard case .whole(let copy) = unsafe context.handle, case .whole(let original) = unsafe template.handle else {
            return false
        }
        return unsafe EVP_MD_CTX_copy_ex(copy, original) == 1 && body()
    }
}
