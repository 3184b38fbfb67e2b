import COpenSSL

/// A hash function of OpenSSL's, fetched once: looking it up by name at each use costs as much as hashing 300 bytes.
@safe
final class DigestMethod: @unchecked Sendable {
    static let sha256 = DigestMethod("SHA2-256")
    static let sha384 = DigestMethod("SHA2-384")

    let pointer: OpaquePointer

    private init(_ name: String) {
        CryptoLibrary.prepare()
        guard let pointer = unsafe EVP_MD_fetch(nil, name, nil) else { CryptoLibrary.outOfMemory() }
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe EVP_MD_free(pointer)
    }
}

/// Hashes one message after another with one context. For one thread.
@safe
final class MessageDigest {
    let count: Int
    private let context: OpaquePointer
    private let method: DigestMethod

    init(_ method: DigestMethod) {
        guard let context = unsafe EVP_MD_CTX_new() else { CryptoLibrary.outOfMemory() }
        unsafe self.context = unsafe context
        self.method = method
        count = Int(unsafe EVP_MD_get_size(method.pointer))
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    /// Writes `count` bytes to `output`.
    func hash(_ message: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>) -> Bool {
        unsafe EVP_DigestInit_ex2(context, method.pointer, nil) == 1
            && EVP_DigestUpdate(context, message.baseAddress, message.count) == 1
            && EVP_DigestFinal_ex(context, output, nil) == 1
    }
}
