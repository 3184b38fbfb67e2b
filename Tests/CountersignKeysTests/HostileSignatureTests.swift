import CountersignKeys
import Testing

@Suite("Signatures that are refused")
struct HostileSignatureTests {
    static let message = Array("Pay 1 EUR".utf8)

    /// The order of P-256's group, and of P-384's (FIPS 186-4, D.1.2).
    static let orders: [KeyAlgorithm: String] = [
        .es256: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
        .es384: "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
    ]

    @Test(
        "V10: r and s are 1 to n - 1, in their order, big-endian, at their width",
        arguments: [KeyAlgorithm.es256, .es384])
    func ecdsa(_ algorithm: KeyAlgorithm) throws {
        let key = try PrivateKey(generating: algorithm)
        let signature = try key.signature(of: Self.message)
        let width = signature.count / 2
        let r = Array(signature.prefix(width))
        let s = Array(signature.suffix(width))
        let n = try #require([UInt8](hex: Self.orders[algorithm] ?? ""))
        let zero = [UInt8](repeating: 0, count: width)
        let one: [UInt8] = zero.dropLast() + [1]
        let ones = [UInt8](repeating: 0xFF, count: width)
        var last = n
        last[width - 1] -= 1
        let edges: [[UInt8]] = [zero, one, n, last, ones]
        for edge in edges {
            #expect(!key.publicKey.accepts(edge + s, for: Self.message))
            #expect(!key.publicKey.accepts(r + edge, for: Self.message))
            for other in edges { #expect(!key.publicKey.accepts(edge + other, for: Self.message)) }
        }
        #expect(!key.publicKey.accepts(s + r, for: Self.message))
        #expect(!key.publicKey.accepts(r.reversed() + s.reversed(), for: Self.message))
        #expect(!key.publicKey.accepts([0] + r + [0] + s, for: Self.message))
        #expect(key.publicKey.accepts(signature, for: Self.message))
        // High S is another signature of the same message, and it holds: what identifies a statement is its jti.
        #expect(key.publicKey.accepts(r + Self.subtract(s, from: n), for: Self.message))
    }

    @Test("V10: DER is not taken for r and s")
    func der() throws {
        let key = try PrivateKey(generating: .es256)
        let signature = try key.signature(of: Self.message)
        #expect(!key.publicKey.accepts(DER.ecdsa(signature), for: Self.message))
    }

    @Test("V12: Ed25519 with S + L, and with the length of another algorithm")
    func ed25519() throws {
        let key = try PrivateKey(generating: .edDSA)
        let signature = try key.signature(of: Self.message)
        // L, little-endian (RFC 8032 section 5.1).
        let order = try #require(
            [UInt8](hex: "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010"))
        var sum = Array(signature.prefix(32))
        var carry = 0
        for (low, high) in zip(signature.suffix(32), order) {
            carry += Int(low) + Int(high)
            sum.append(UInt8(carry & 0xFF))
            carry >>= 8
        }
        #expect(!key.publicKey.accepts(sum, for: Self.message))
        #expect(!key.publicKey.accepts(Array(signature.dropLast()), for: Self.message))
        #expect(!key.publicKey.accepts(signature + [0], for: Self.message))
        #expect(!key.publicKey.accepts([1] + [UInt8](repeating: 0, count: 63), for: Self.message))
    }

    @Test("V11: a PSS signature without its leading zero is refused, and with it taken")
    func strippedZero() throws {
        let key = try PrivateKey(generating: .ps256, rsaBits: 2048)
        let signer = key.makeSigner()
        var found = false
        for round in 0..<4_000 where !found {
            let message = Array("\(round)".utf8)
            let signature = try signer.sign(message.span)
            guard signature[0] == 0 else { continue }
            found = true
            #expect(key.publicKey.accepts(signature, for: message))
            #expect(!key.publicKey.accepts(Array(signature.dropFirst()), for: message))
            #expect(!key.publicKey.accepts([0] + signature, for: message))
        }
        #expect(found)
    }

    @Test("V11: s + n is refused", arguments: [KeyAlgorithm.ps256, .rs256])
    func wrapped(_ algorithm: KeyAlgorithm) throws {
        let key = try PrivateKey(generating: algorithm, rsaBits: 2048)
        guard case .rsa(let modulus, _) = key.publicKey.components else { return }
        let signer = key.makeSigner()
        var found = false
        for round in 0..<200 where !found {
            let message = Array("\(round)".utf8)
            let signature = try signer.sign(message.span)
            var sum: [UInt8] = []
            var carry = 0
            for (left, right) in zip(signature.reversed(), modulus.reversed()) {
                carry += Int(left) + Int(right)
                sum.insert(UInt8(carry & 0xFF), at: 0)
                carry >>= 8
            }
            guard carry == 0 else { continue }
            found = true
            #expect(!key.publicKey.accepts(sum, for: message))
        }
        #expect(found)
    }

    @Test("V3: no signature holds under another algorithm of the same RSA key")
    func confusion() throws {
        let pss = try PrivateKey(generating: .ps256, rsaBits: 2048)
        let pkcs1 = try pss.der().withBytes { der in try PrivateKey(der: der, algorithm: .rs256) }
        let first = try pss.signature(of: Self.message)
        let second = try pkcs1.signature(of: Self.message)
        #expect(pss.publicKey.accepts(first, for: Self.message))
        #expect(pkcs1.publicKey.accepts(second, for: Self.message))
        #expect(!pss.publicKey.accepts(second, for: Self.message))
        #expect(!pkcs1.publicKey.accepts(first, for: Self.message))
        #expect(pss.publicKey != pkcs1.publicKey)
    }

    @Test("Property: one changed bit anywhere, in message or signature, is refused", arguments: KeyAlgorithm.allCases)
    func tampered(_ algorithm: KeyAlgorithm) throws {
        let key = try PrivateKey(generating: algorithm, rsaBits: 2048)
        let signer = key.makeSigner()
        let verifier = key.publicKey.makeVerifier()
        var accepted = 0
        for length in [0, 1, 63, 64, 65, 600] {
            let message = [UInt8](repeating: UInt8(truncatingIfNeeded: length), count: length)
            let signature = try signer.sign(message.span)
            for _ in 0..<20 {
                var other = signature
                other[Int.random(in: 0..<other.count)] ^= 1 << UInt8.random(in: 0..<8)
                if verifier.isValid(other.span, for: message.span) { accepted += 1 }
                guard !message.isEmpty else { continue }
                var changed = message
                changed[Int.random(in: 0..<changed.count)] ^= 1 << UInt8.random(in: 0..<8)
                if verifier.isValid(signature.span, for: changed.span) { accepted += 1 }
            }
            // The contexts are as good after refusals as before.
            let holds = verifier.isValid(signature.span, for: message.span)
            #expect(holds)
        }
        #expect(accepted == 0)
    }

    private static func subtract(_ number: [UInt8], from whole: [UInt8]) -> [UInt8] {
        var difference: [UInt8] = []
        var borrow = 0
        for (left, right) in zip(whole.reversed(), number.reversed()) {
            let value = Int(left) - Int(right) - borrow
            borrow = value < 0 ? 1 : 0
            difference.insert(UInt8(value & 0xFF), at: 0)
        }
        return difference
    }
}
