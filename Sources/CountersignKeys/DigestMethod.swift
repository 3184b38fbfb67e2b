import COpenSSL

/// A hash function of OpenSSL's, fetched once: looking it up by name at each use costs as much as hashing 300 bytes.
@safe
package final class DigestMethod: @unchecked Sendable {
    static let sha256 = DigestMethod("SHA2-256")
    static let sha384 = DigestMethod("SHA2-384")
    package static let sha512 = DigestMethod("SHA2-512")

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
package final class MessageDigest {
    let count: Int
    private let context: OpaquePointer
    private let method: DigestMethod

    /// A context for a hash function.
    package init(_ method: DigestMethod) {
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
        unsafe start() && add(message) && finish(into: output)
    }

    // MARK: Piece by piece

    func start() -> Bool {
        unsafe EVP_DigestInit_ex2(context, method.pointer, nil) == 1
    }

    func add(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe EVP_DigestUpdate(context, piece.baseAddress, piece.count) == 1
    }

    func finish(into output: UnsafeMutablePointer<UInt8>) -> Bool {
        unsafe EVP_DigestFinal_ex(context, output, nil) == 1
    }
}
