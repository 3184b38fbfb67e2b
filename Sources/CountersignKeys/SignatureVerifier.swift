import COpenSSL

/// Verifies signatures of one key, many times, with contexts that are kept. For one thread at a time: each has its own.
public final class SignatureVerifier {
    private let template: SignatureContext
    private let context: SignatureContext
    private let digest: MessageDigest
    private let signatureLength: Int

    init(_ template: SignatureContext, signatureLength: Int) {
        self.template = template
        self.signatureLength = signatureLength
        context = SignatureContext(copying: template)
        digest = MessageDigest(template.algorithm == .es384 ? .sha384 : .sha256)
    }

    /// Whether `signature` is this key's over `message`. ECDSA signatures are r and s at their full width. A signature of
    /// another length is refused before OpenSSL sees it: OpenSSL itself takes PSS without its leading zero.
    public func isValid(_ signature: Span<UInt8>, for message: Span<UInt8>) -> Bool {
        guard signature.count == signatureLength else { return false }
        let isValid = unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe check(signature, message)
            }
        }
        if !isValid { OpenSSLErrors.clear() }
        return isValid
    }

    private func check(_ signature: UnsafeBufferPointer<UInt8>, _ message: UnsafeBufferPointer<UInt8>) -> Bool {
        switch unsafe (context.handle, template.handle) {
        case (.digest(let context), _):
            let width = template.algorithm.curve?.width
            let buffer = ECDSASignature.maxDERCount + 64
            return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: buffer) { buffer in
                guard let hash = buffer.baseAddress, unsafe digest.hash(message, into: hash) else { return false }
                guard let width else {
                    return unsafe EVP_PKEY_verify(context, signature.baseAddress, signature.count, hash, digest.count)
                        == 1
                }
                let der = unsafe hash + 64
                let count = unsafe ECDSASignature.writeDER(of: signature, width: width, to: der)
                return unsafe EVP_PKEY_verify(context, der, count, hash, digest.count) == 1
            }
        case (.whole(let context), .whole(let template)):
            return unsafe EVP_MD_CTX_copy_ex(context, template) == 1
                && EVP_DigestVerify(context, signature.baseAddress, signature.count, message.baseAddress, message.count)
                    == 1
        case (.whole, .digest):
            return false
        }
    }
}
