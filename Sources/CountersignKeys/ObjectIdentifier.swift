/// The object identifiers that keys name, by the contents of their DER.
struct ObjectIdentifier: Sendable, Hashable {
    let bytes: [UInt8]

    var der: [UInt8] { DERWriter.element(.objectIdentifier, bytes) }

    // Keys: RFC 8017 appendix C, RFC 5480 section 2.1, RFC 8410 section 3.
    static let rsa = ObjectIdentifier(bytes: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01])
    static let ec = ObjectIdentifier(bytes: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
    static let ed25519 = ObjectIdentifier(bytes: [0x2B, 0x65, 0x70])
    static let p256 = ObjectIdentifier(bytes: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
    static let p384 = ObjectIdentifier(bytes: [0x2B, 0x81, 0x04, 0x00, 0x22])

    // Encryption of private keys: RFC 8018 appendix C, RFC 7914 section 7.
    static let pbes2 = ObjectIdentifier(bytes: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D])
    static let pbkdf2 = ObjectIdentifier(bytes: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C])
    static let scrypt = ObjectIdentifier(bytes: [0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B])
    /// hmacWithSHA1, 224, 256, 384, 512: RFC 8018 appendix B.1.
    static let macs = Set(
        (UInt8(0x07)...0x0B).map { ObjectIdentifier(bytes: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x02, $0]) })
    /// AES-128, 192, 256 in CBC (NIST's aes arc), with the bytes of their keys.
    static let ciphers: [ObjectIdentifier: Int] = [aes(0x02): 16, aes(0x16): 24, aes(0x2A): 32]

    private static func aes(_ last: UInt8) -> ObjectIdentifier {
        ObjectIdentifier(bytes: [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, last])
    }

    /// What a person calls it. Names only what is met and refused; the rest is shown in dots.
    var name: String {
        Self.names[self] ?? dotted
    }

    private static let names: [ObjectIdentifier: String] = [
        ObjectIdentifier(bytes: [0x2B, 0x65, 0x6E]): "X25519",
        ObjectIdentifier(bytes: [0x2B, 0x65, 0x6F]): "X448",
        ObjectIdentifier(bytes: [0x2B, 0x65, 0x71]): "Ed448",
        ObjectIdentifier(bytes: [0x2A, 0x86, 0x48, 0xCE, 0x38, 0x04, 0x01]): "DSA",
        ObjectIdentifier(bytes: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x03, 0x01]): "Diffie-Hellman",
        ObjectIdentifier(bytes: [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A]): "RSASSA-PSS",
        ObjectIdentifier(bytes: [0x2B, 0x81, 0x04, 0x00, 0x0A]): "secp256k1",
        ObjectIdentifier(bytes: [0x2B, 0x81, 0x04, 0x00, 0x23]): "P-521",
        p256: "P-256", p384: "P-384",
    ]

    private var dotted: String {
        var arcs: [String] = []
        var value: UInt64 = 0
        for byte in bytes.prefix(32) {
            value = value << 7 | UInt64(byte & 0x7F)
            guard byte < 0x80 else { continue }
            if arcs.isEmpty {
                let first = min(value / 40, 2)
                arcs.append("\(first)")
                value -= first * 40
            }
            arcs.append("\(value)")
            value = 0
        }
        return arcs.joined(separator: ".")
    }
}
