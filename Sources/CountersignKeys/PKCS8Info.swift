import COpenSSL

/// The owner of OpenSSL's form of a PKCS#8 key, which wipes the key when it is freed.
@safe
final class PKCS8Info {
    private let pointer: OpaquePointer

    init(takingOwnershipOf pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    /// Of DER, whose shape was checked.
    convenience init(parsing der: Span<UInt8>) throws(KeyError) {
        let pointer = unsafe der.withUnsafeBufferPointer { der in
            var position = der.baseAddress
            return unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &position, der.count)
        }
        guard let pointer = unsafe pointer else { throw .fromOpenSSL(.malformed, "the private key could not be read") }
        unsafe self.init(takingOwnershipOf: pointer)
    }

    convenience init(_ key: KeyHandle) throws(KeyError) {
        guard let pointer = unsafe key.withPointer({ unsafe EVP_PKEY2PKCS8($0) }) else {
            throw .fromOpenSSL(.sealFailed, "the private key could not be exported")
        }
        unsafe self.init(takingOwnershipOf: pointer)
    }

    deinit {
        unsafe PKCS8_PRIV_KEY_INFO_free(pointer)
    }

    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(pointer)
    }

    func der() throws(KeyError) -> SecretBytes {
        unsafe try secret { (output) in unsafe i2d_PKCS8_PRIV_KEY_INFO(pointer, output) }
    }
}

/// Runs one of OpenSSL's encoders twice: for the length, then straight into bytes that will be wiped.
func secret(
    encodedBy encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) throws(KeyError) -> SecretBytes {
    let count = encode(nil)
    guard count > 0 else { throw .fromOpenSSL(.sealFailed, "the private key could not be exported") }
    return try SecretBytes(count: Int(count)) { (output: inout MutableSpan<UInt8>) throws(KeyError) in
        let written = unsafe output.withUnsafeMutableBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe encode(&position)
        }
        guard written == count else { throw .fromOpenSSL(.sealFailed, "the private key could not be exported") }
    }
}

extension KeyHandle {
    /// The key of a PKCS#8 structure.
    convenience init(_ info: PKCS8Info) throws(KeyError) {
        guard let pointer = unsafe info.withPointer({ unsafe EVP_PKCS82PKEY($0) }) else {
            throw .fromOpenSSL(.malformed, "the private key could not be read")
        }
        unsafe self.init(takingOwnershipOf: pointer)
    }

    /// RFC 8032 section 5.1.5.
    convenience init(ed25519Seed seed: Span<UInt8>) throws(KeyError) {
        let pointer = unsafe seed.withUnsafeBufferPointer { seed in
            unsafe EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed.baseAddress, seed.count)
        }
        guard let pointer = unsafe pointer else { throw .fromOpenSSL(.malformed, "the private key could not be read") }
        unsafe self.init(takingOwnershipOf: pointer)
    }
}
