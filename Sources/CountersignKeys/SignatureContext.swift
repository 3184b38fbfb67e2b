import COpenSSL

/// A context that is ready to sign or to verify with one key by one algorithm. Nothing changes it after it was made:
/// threads copy it, because getting one ready costs more than a copy.
@safe
final class SignatureContext: @unchecked Sendable {
    enum Purpose {
        case sign, verify
    }

    /// ECDSA and RSA get a digest; Ed25519 hashes the message twice and takes it whole.
    @unsafe enum Handle {
        case digest(OpaquePointer)
        case whole(OpaquePointer)
    }

    let handle: Handle
    let algorithm: KeyAlgorithm

    init(_ purpose: Purpose, key: KeyHandle, algorithm: KeyAlgorithm) throws(KeyError) {
        CryptoLibrary.prepare()
        self.algorithm = algorithm
        let handle = unsafe key.withPointer { key in
            unsafe algorithm == .edDSA
                ? Self.whole(purpose, key) : Self.digest(purpose, key, algorithm)
        }
        guard let handle = unsafe handle else {
            throw .fromOpenSSL(.unsupportedKey, "the key cannot be used for \(algorithm.rawValue)")
        }
        unsafe self.handle = unsafe handle
    }

    /// A copy for one thread. The template was proved when its key was made: only memory can be missing for a copy.
    init(copying template: SignatureContext) {
        algorithm = template.algorithm
        switch unsafe template.handle {
        case .digest(let context):
            guard let copy = unsafe EVP_PKEY_CTX_dup(context) else { CryptoLibrary.outOfMemory() }
            unsafe handle = unsafe .digest(copy)
        case .whole(let context):
            guard let copy = unsafe EVP_MD_CTX_new(), unsafe EVP_MD_CTX_copy_ex(copy, context) == 1 else {
                CryptoLibrary.outOfMemory()
            }
            unsafe handle = unsafe .whole(copy)
        }
    }

    deinit {
        switch unsafe handle {
        case .digest(let context): unsafe EVP_PKEY_CTX_free(context)
        case .whole(let context): unsafe EVP_MD_CTX_free(context)
        }
    }

    private static func digest(_ purpose: Purpose, _ key: OpaquePointer, _ algorithm: KeyAlgorithm) -> Handle? {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return nil }
        let started = unsafe purpose == .sign ? EVP_PKEY_sign_init(context) : EVP_PKEY_verify_init(context)
        guard started == 1, unsafe setParameters(of: algorithm, on: context) else {
            unsafe EVP_PKEY_CTX_free(context)
            return nil
        }
        return unsafe .digest(context)
    }

    private static func setParameters(of algorithm: KeyAlgorithm, on context: OpaquePointer) -> Bool {
        let method: DigestMethod = algorithm == .es384 ? .sha384 : .sha256
        guard unsafe EVP_PKEY_CTX_set_signature_md(context, method.pointer) == 1 else { return false }
        switch algorithm {
        case .es256, .es384, .edDSA:
            return true
        case .rs256:
            return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
        case .ps256:
            return unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, method.pointer) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, 32) == 1
        }
    }

    private static func whole(_ purpose: Purpose, _ key: OpaquePointer) -> Handle? {
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        let started =
            unsafe purpose == .sign
            ? EVP_DigestSignInit_ex(context, nil, nil, nil, nil, key, nil)
            : EVP_DigestVerifyInit_ex(context, nil, nil, nil, nil, key, nil)
        guard started == 1 else {
            unsafe EVP_MD_CTX_free(context)
            return nil
        }
        return unsafe .whole(context)
    }
}
