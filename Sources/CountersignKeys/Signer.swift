import COpenSSL

/// Signs with one key, many times, with contexts that are kept. For one thread at a time: each has its own.
package final class Signer {
    /// The key's algorithm.
    package var algorithm: KeyAlgorithm { template.algorithm }

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

    /// The signature of `message`: always of the same length; of ECDSA, r and s at their full width.
    package func sign(_ message: Span<UInt8>) throws(KeyError) -> [UInt8] {
        var isSigned = false
        let signature = unsafe [UInt8](unsafeUninitializedCapacity: signatureLength) { output, count in
            unsafe output.initialize(repeating: 0)
            isSigned = unsafe message.withUnsafeBufferPointer { message in unsafe sign(message, to: output) }
            count = signatureLength
        }
        guard isSigned else { throw .fromOpenSSL(.signingFailed, "the message could not be signed") }
        return signature
    }

    private func sign(_ message: UnsafeBufferPointer<UInt8>, to output: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        switch unsafe (context.handle, template.handle) {
        case (.digest(let context), _):
            return unsafe sign(message, with: context, to: output)
        case (.whole(let context), .whole(let template)):
            var count = signatureLength
            return unsafe EVP_MD_CTX_copy_ex(context, template) == 1
                && EVP_DigestSign(context, output.baseAddress, &count, message.baseAddress, message.count) == 1
                && count == signatureLength
        case (.whole, .digest):
            return false
        }
    }

    private func sign(
        _ message: UnsafeBufferPointer<UInt8>, with context: OpaquePointer,
        to output: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        let width = template.algorithm.curve?.width
        let capacity = ECDSASignature.maxDERCount
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64 + capacity) { buffer in
            guard let hash = buffer.baseAddress, let output = output.baseAddress,
                unsafe digest.hash(message, into: hash)
            else { return false }
            guard let width else {
                var count = signatureLength
                return unsafe EVP_PKEY_sign(context, output, &count, hash, digest.count) == 1
                    && count == signatureLength
            }
            let der = unsafe hash + 64
            var count = capacity
            return unsafe EVP_PKEY_sign(context, der, &count, hash, digest.count) == 1
                && ECDSASignature.writeFixed(
                    from: UnsafeBufferPointer(start: der, count: count), width: width, to: output)
        }
    }
}
