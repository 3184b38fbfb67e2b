import COpenSSL

/// A key of HMAC-SHA256 (RFC 2104): for tags that only the holder of the key can make or check.
package struct MACKey: Sendable, CustomStringConvertible {
    /// The number of bytes of a tag.
    package static let count = 32

    private let context: MACContext

    /// A key of any length; less than 32 bytes are weak.
    package init(_ secret: SecretBytes) throws(KeyError) {
        guard let context = MACContext(secret) else {
            throw .fromOpenSSL(.sealFailed, "no tags can be made with the key")
        }
        self.context = context
    }

    /// A new random key of 32 bytes.
    package init() throws(KeyError) {
        var bytes = try SecureRandom.bytes(Self.count)
        defer { wipe(&bytes) }
        try self.init(SecretBytes(copying: bytes.span))
    }

    /// The tag of a message: 32 bytes.
    package func hmacSHA256(_ message: Span<UInt8>) throws(KeyError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: Self.count)
        var output = tag.mutableSpan
        try write(message, into: &output)
        return tag
    }

    /// Never the key itself.
    package var description: String { "MACKey" }

    /// Writes the tag of `message` to `tag`, which has 32 bytes.
    fileprivate func write(_ message: Span<UInt8>, into tag: inout MutableSpan<UInt8>) throws(KeyError) {
        guard context.write(message, into: &tag) else {
            throw .fromOpenSSL(.sealFailed, "the message could not be tagged")
        }
    }
}

/// A context that has its key, of which each message gets a copy: with one that is made ready anew a short message takes nearly twice as
/// long. OpenSSL wipes it when it goes.
@safe
private final class MACContext: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Nil where OpenSSL does not take the key.
    init?(_ secret: SecretBytes) {
        let pointer = unsafe secret.withBytes { secret in
            unsafe secret.withUnsafeBufferPointer { secret in
                unsafe countersign_hmac_sha256_new(MACMethod.hmac.pointer, secret.baseAddress, secret.count)
            }
        }
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe EVP_MAC_CTX_free(pointer)
    }

    /// Writes the tag of `message` to `tag`, which has 32 bytes.
    ///
    /// - Returns: whether it did.
    func write(_ message: Span<UInt8>, into tag: inout MutableSpan<UInt8>) -> Bool {
        unsafe message.withUnsafeBufferPointer { message in
            unsafe tag.withUnsafeMutableBufferPointer { tag in
                unsafe tag.count == MACKey.count
                    && countersign_hmac_sha256(pointer, message.baseAddress, message.count, tag.baseAddress) == 1
            }
        }
    }
}

extension AEADKey {
    /// A key for another purpose, which says nothing about this one: HKDF-Expand of RFC 5869 section 2.3 with the label as
    /// `info`. (This key is uniformly random already, so the step before, which would make it so, is left out: section 3.3.)
    package func derive(_ label: StaticString) throws(KeyError) -> MACKey {
        let info = Array(label.description.utf8) + [1]
        return try MACKey(
            SecretBytes(count: MACKey.count) { (output: inout MutableSpan<UInt8>) throws(KeyError) in
                try MACKey(secret).write(info.span, into: &output)
            })
    }
}

/// HMAC, fetched once.
@safe
private final class MACMethod: @unchecked Sendable {
    static let hmac = MACMethod("HMAC")

    let pointer: OpaquePointer

    private init(_ name: String) {
        CryptoLibrary.prepare()
        guard let pointer = unsafe EVP_MAC_fetch(nil, name, nil) else { CryptoLibrary.outOfMemory() }
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe EVP_MAC_free(pointer)
    }
}
