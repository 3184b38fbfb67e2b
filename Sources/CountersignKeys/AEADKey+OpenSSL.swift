import COpenSSL

/// One run of AES-256-GCM.
@safe
final class AEADCipher {
    enum Direction {
        case seal, open
    }

    private let context: OpaquePointer
    private let direction: Direction

    init(
        _ direction: Direction, key: SecretBytes, nonce: Span<UInt8>, binding: Span<UInt8>
    ) throws(KeyError) {
        guard let context = unsafe EVP_CIPHER_CTX_new() else { CryptoLibrary.outOfMemory() }
        unsafe self.context = unsafe context
        self.direction = direction
        // GCM takes nonces of 12 bytes unless it is told otherwise.
        let isReady = key.withBytes { key in
            unsafe key.withUnsafeBufferPointer { key in
                unsafe nonce.withUnsafeBufferPointer { nonce in
                    unsafe EVP_CipherInit_ex2(
                        context, CipherMethod.aes256GCM.pointer, key.baseAddress, nonce.baseAddress,
                        direction == .seal ? 1 : 0, nil) == 1
                }
            }
        }
        guard isReady, unsafe update(binding, into: nil) else { throw failure }
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(context)
    }

    func append(_ plain: Span<UInt8>, to output: inout [UInt8]) throws(KeyError) {
        var isDone = false
        let encrypted = unsafe [UInt8](unsafeUninitializedCapacity: plain.count) { buffer, count in
            isDone = unsafe update(plain, into: buffer.baseAddress)
            count = isDone ? plain.count : 0
        }
        guard isDone else { throw failure }
        output += encrypted
    }

    func appendTag(of count: Int, to output: inout [UInt8]) throws(KeyError) {
        var written: Int32 = 0
        var tag = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_CipherFinal_ex(context, &tag, &written) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(count), &tag) == 1
        else { throw failure }
        output += tag
    }

    func open(_ body: Span<UInt8>, tag: Span<UInt8>, into plain: inout MutableSpan<UInt8>) throws(KeyError) {
        let isDone = unsafe plain.withUnsafeMutableBufferPointer { plain in
            unsafe update(body, into: plain.baseAddress)
        }
        guard isDone else { throw failure }
        var written: Int32 = 0
        var expected = unsafe tag.withUnsafeBufferPointer { unsafe Array($0) }
        var rest = [UInt8](repeating: 0, count: 16)
        guard unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(expected.count), &expected) == 1,
            unsafe EVP_CipherFinal_ex(context, &rest, &written) == 1
        else { throw failure }
    }

    /// Without output, the bytes are bound but not encrypted. Zero bytes are skipped: OpenSSL reads a null input as the end.
    private func update(_ input: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>?) -> Bool {
        guard !input.isEmpty else { return true }
        guard let count = Int32(exactly: input.count) else { return false }
        var written: Int32 = 0
        return unsafe input.withUnsafeBufferPointer { input in
            unsafe EVP_CipherUpdate(context, output, &written, input.baseAddress, count) == 1 && written == count
        }
    }

    private var failure: KeyError {
        switch direction {
        case .seal: .fromOpenSSL(.sealFailed, "the bytes could not be sealed")
        case .open: .fromOpenSSL(.openFailed, "the sealed bytes were changed, or belong to another key or place")
        }
    }
}

/// AES-256-GCM, fetched once.
@safe
private final class CipherMethod: @unchecked Sendable {
    static let aes256GCM = CipherMethod("AES-256-GCM")

    let pointer: OpaquePointer

    private init(_ name: String) {
        CryptoLibrary.prepare()
        guard let pointer = unsafe EVP_CIPHER_fetch(nil, name, nil) else { CryptoLibrary.outOfMemory() }
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe EVP_CIPHER_free(pointer)
    }
}
