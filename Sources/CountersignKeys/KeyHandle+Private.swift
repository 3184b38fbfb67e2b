import COpenSSL

extension KeyHandle {
    /// A new key pair.
    convenience init(generating type: KeyType, rsaBits: Int) throws(KeyError) {
        CryptoLibrary.prepare()
        let name =
            switch type {
            case .ec: "EC"
            case .ed25519: "ED25519"
            case .rsa: "RSA"
            }
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, name, nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var pointer: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1 else { throw Self.generationFailed }
        switch type {
        case .ec(let curve):
            guard unsafe EVP_PKEY_CTX_set_group_name(context, curve.name) == 1 else { throw Self.generationFailed }
        case .rsa:
            // The exponent is 65,537 unless another is set.
            guard unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(rsaBits)) == 1 else {
                throw Self.generationFailed
            }
        case .ed25519:
            break
        }
        guard unsafe EVP_PKEY_generate(context, &pointer) == 1, let pointer = unsafe pointer else {
            throw Self.generationFailed
        }
        unsafe self.init(takingOwnershipOf: pointer)
    }

    /// The EC key whose halves were found in PKCS#8: OpenSSL's own reader first makes its readers of all formats, which takes ten times as
    /// long. Nil for any other key, and for one that is refused: why, is that reader's to say.
    convenience init?(_ shape: PKCS8Shape, in bytes: Span<UInt8>) {
        guard case .ec(let curve) = shape.type, let (number, point) = shape.halves else { return nil }
        let key = unsafe bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            guard let start = bytes.baseAddress else { return nil }
            return unsafe countersign_ec_key_pair(
                curve.name, start + number.lowerBound, Int32(number.count), start + point.lowerBound, point.count)
        }
        guard let key = unsafe key else {
            OpenSSLErrors.clear()
            return nil
        }
        unsafe self.init(takingOwnershipOf: key)
    }

    private static var generationFailed: KeyError { .fromOpenSSL(.generationFailed, "no key could be made") }

    /// The numbers of the public half.
    func components(_ type: KeyType) throws(KeyError) -> PublicKey.Components {
        let components: PublicKey.Components? =
            switch type {
            case .ec(let curve):
                if let x = number(OSSL_PKEY_PARAM_EC_PUB_X, width: curve.width),
                    let y = number(OSSL_PKEY_PARAM_EC_PUB_Y, width: curve.width)
                {
                    .ec(x: x, y: y)
                } else {
                    nil
                }
            case .ed25519:
                rawPublicKey.map { .okp(x: $0) }
            case .rsa:
                if let modulus = number(OSSL_PKEY_PARAM_RSA_N), let exponent = number(OSSL_PKEY_PARAM_RSA_E) {
                    .rsa(modulus: modulus, exponent: exponent)
                } else {
                    nil
                }
            }
        guard let components else { throw .fromOpenSSL(.malformed, "the key has no public half") }
        return components
    }

    /// Whether the private number is in its range; of Ed25519 every one is.
    var isPrivateHalfInRange: Bool {
        unsafe withPointer { key in
            guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key, nil) else { return false }
            defer { unsafe EVP_PKEY_CTX_free(context) }
            return unsafe EVP_PKEY_private_check(context) == 1
        }
    }

    /// A number by OpenSSL's name for it, big-endian, at this width or at its own.
    private func number(_ name: String, width: Int? = nil) -> [UInt8]? {
        unsafe withPointer { key in
            var number: OpaquePointer?
            guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1 else { return nil }
            defer { unsafe BN_free(number) }
            let count = unsafe width ?? Int(BN_num_bits(number) + 7) / 8
            return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
                written = unsafe BN_bn2binpad(number, buffer.baseAddress, Int32(count)) == count ? count : 0
            }
        }
    }

    private var rawPublicKey: [UInt8]? {
        unsafe withPointer { key in
            var bytes = [UInt8](repeating: 0, count: 32)
            var count = bytes.count
            guard unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == 32 else { return nil }
            return bytes
        }
    }
}
