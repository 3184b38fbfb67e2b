import COpenSSL
import CountersignKeys

/// A signature to be looked at, whoever made it.
struct Ed25519Case {
    var signature: [UInt8]
    var message: [UInt8]
}

/// What OpenSSL's EVP says of signatures of any 32 bytes as the key: also of those that `PublicKey` refuses.
func verdictsOfEVP(_ publicKey: [UInt8], _ cases: [Ed25519Case]) -> [Bool] {
    let key = unsafe EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, publicKey, publicKey.count)
    defer { unsafe EVP_PKEY_free(key) }
    return cases.map { item in
        let context = unsafe EVP_MD_CTX_new()
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        return unsafe EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, item.signature, item.signature.count, item.message, item.message.count) == 1
    }
}

extension Ed25519Table {
    /// What the table says of them, all at once.
    func verdicts(_ cases: [Ed25519Case], with digest: MessageDigest = MessageDigest(.sha512)) -> [Bool] {
        var entries: [UInt8] = []
        for item in cases {
            let isTaken = appendChallenge(
                of: item.signature.span, over: item.message.span, to: &entries, with: digest)
            precondition(isTaken)
            entries += item.signature
        }
        return check(entries)
    }
}

/// A key whose secret is known, a·B and a point of small order with it, and signatures of it that are made by hand: so that
/// every part of the equation may be of small order.
struct HandmadeKey {
    let secret: BigNumber
    let bytes: [UInt8]

    init(_ secret: BigNumber, plus point: EdwardsPoint) {
        self.secret = secret % .order
        bytes = (self.secret * .base + point).bytes
    }

    /// The key in another spelling, or another key.
    init(_ bytes: [UInt8]) {
        secret = 0
        self.bytes = bytes
    }

    /// R = r·B + point, S = r + k·a. It is right where `point` is -k times what of small order is in the key.
    func sign(_ message: [UInt8], nonce: BigNumber, plus point: EdwardsPoint) -> Ed25519Case {
        let commitment = (nonce % .order * .base + point).bytes
        let hash = Self.hash(commitment + bytes + message)
        let response = (nonce + BigNumber(hash) * secret) % .order
        return Ed25519Case(signature: commitment + response.bytes(), message: message)
    }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
            unsafe _ = SHA512(bytes, bytes.count, buffer.baseAddress)
            count = 64
        }
    }
}
