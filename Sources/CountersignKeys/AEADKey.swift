import COpenSSL

/// AES-256-GCM (NIST SP 800-38D) with a random nonce: for secrets at rest. A key seals at most 2^32 messages.
package struct AEADKey: Sendable {
    private static let nonceCount = 12
    private static let tagCount = 16

    let secret: SecretBytes

    /// A key of exactly 32 bytes.
    package init(_ secret: SecretBytes) throws(KeyError) {
        guard secret.count == 32 else {
            throw KeyError(.malformed, "a sealing key has 32 bytes, not \(secret.count)")
        }
        self.secret = secret
    }

    /// Nonce (12 bytes), ciphertext and tag (16 bytes). `binding` is not sealed, but opening takes the same: the name
    /// of the row that the bytes belong to, so that rows cannot be swapped.
    package func seal(_ plain: Span<UInt8>, binding: Span<UInt8>) throws(KeyError) -> [UInt8] {
        var sealed = try SecureRandom.bytes(Self.nonceCount)
        let cipher = try AEADCipher(.seal, key: secret, nonce: sealed.span, binding: binding)
        try cipher.append(plain, to: &sealed)
        try cipher.appendTag(of: Self.tagCount, to: &sealed)
        return sealed
    }

    /// The bytes that were sealed with this key and this binding. Anything else is `openFailed`.
    package func open(_ sealed: Span<UInt8>, binding: Span<UInt8>) throws(KeyError) -> SecretBytes {
        let count = sealed.count - Self.nonceCount - Self.tagCount
        guard count >= 0 else { throw KeyError(.openFailed, "too short to be sealed bytes") }
        let nonce = sealed.extracting(0..<Self.nonceCount)
        let body = sealed.extracting(Self.nonceCount..<Self.nonceCount + count)
        let tag = sealed.extracting((Self.nonceCount + count)...)
        let cipher = try AEADCipher(.open, key: secret, nonce: nonce, binding: binding)
        // Nothing leaves before the tag is checked: if it fails, what was decrypted is wiped.
        return try SecretBytes(count: count) { (plain: inout MutableSpan<UInt8>) throws(KeyError) in
            try cipher.open(body, tag: tag, into: &plain)
        }
    }
}
