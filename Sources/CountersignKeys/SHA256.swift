import COpenSSL

/// SHA-256 (FIPS 180-4), all at once or piece by piece.
@safe
public struct SHA256: ~Copyable {
    /// The number of bytes of a digest.
    public static let count = 32

    private let context: OpaquePointer

    /// A digest of nothing, so far.
    public init() {
        guard let context = unsafe EVP_MD_CTX_new(),
            unsafe EVP_DigestInit_ex2(context, DigestMethod.sha256.pointer, nil) == 1
        else { CryptoLibrary.outOfMemory() }
        unsafe self.context = unsafe context
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    /// Adds bytes.
    public mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            // Fails only for a context that was not initialised.
            unsafe _ = EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
        }
    }

    /// The digest of all that was added: 32 bytes.
    public consuming func finalize() -> [UInt8] {
        let context = unsafe self.context
        return unsafe [UInt8](unsafeUninitializedCapacity: Self.count) { buffer, count in
            unsafe _ = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
            count = Self.count
        }
    }

    /// The digest of all that was added, as `finalize` gives it; then it begins anew.
    package mutating func finalizeAndBegin() -> [UInt8] {
        let digest = unsafe [UInt8](unsafeUninitializedCapacity: Self.count) { buffer, count in
            unsafe _ = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
            count = Self.count
        }
        // The same function again: nothing is allocated, so it cannot fail.
        unsafe _ = EVP_DigestInit_ex2(context, DigestMethod.sha256.pointer, nil)
        return digest
    }

    /// The digest of `bytes`: 32 bytes.
    public static func hash(_ bytes: Span<UInt8>) -> [UInt8] {
        var digest = SHA256()
        digest.update(bytes)
        return digest.finalize()
    }
}
