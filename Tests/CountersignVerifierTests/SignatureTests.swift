import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Testing

@Suite("The signature of a statement")
struct SignatureTests {
    /// The orders of the curves (FIPS 186-4, D.1.2.3 and D.1.2.4).
    private static let orders: [KeyAlgorithm: String] = [
        .es256: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
        .es384: "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973",
    ]

    private static func split(_ text: [UInt8]) throws -> (input: [UInt8], signature: [UInt8]) {
        let parts = Compact.parts(text)
        return (Array("\(parts[0]).\(parts[1])".utf8), try Compact.decoded(parts[2]))
    }

    @Test("Every algorithm signs and verifies", arguments: KeyAlgorithm.allCases)
    func good(algorithm: KeyAlgorithm) throws {
        let text = try Draft.full.text(Keys.trusted(algorithm))
        #expect(try Judge.code(text) == "valid")
        #expect(try Judge.code(Draft.full.text(Keys.stranger(algorithm))) == "unknown-key")
    }

    @Test("A change of any character makes it another text", arguments: KeyAlgorithm.allCases)
    func anyCharacter(algorithm: KeyAlgorithm) throws {
        let session = StatementVerifier(trust: Keys.trust, policy: Judge.lenient).makeSession()
        let text = try Draft.example.text(Keys.trusted(algorithm))
        for place in text.indices {
            for character in [
                UInt8(ascii: "A"), UInt8(ascii: "b"), UInt8(ascii: "_"), text[place] ^ 1, text[place] ^ 0x20,
            ] {
                var other = text
                other[place] = character
                if other != text { #expect(session.code(other) != "valid", "\(place)") }
            }
        }
        for count in text.indices { #expect(session.code(Array(text[..<count])) != "valid") }
    }

    @Test("Any byte of the signature is changed", arguments: KeyAlgorithm.allCases)
    func anyByte(algorithm: KeyAlgorithm) throws {
        let (input, signature) = try Self.split(Draft.example.text(Keys.trusted(algorithm)))
        let session = StatementVerifier(trust: Keys.trust, policy: Judge.lenient).makeSession()
        for place in signature.indices {
            for mask: UInt8 in [1, 0x80, 0xFF] {
                var other = signature
                other[place] ^= mask
                let text = Compact.join(input, signature: other)
                #expect(session.code(text) == "signature")
            }
        }
    }

    @Test("Other claims under the signature of these: every claim", arguments: KeyAlgorithm.allCases)
    func otherClaims(algorithm: KeyAlgorithm) throws {
        let key = try Keys.trusted(algorithm)
        let parts = Compact.parts(try Draft.full.text(key))
        for (name, value) in [
            ("iss", #""x""#), ("sub", #""bob""#), ("aud", #""x""#), ("iat", "1767225601"),
            ("payload", #""Pay 5.00 EUR to Eve""#),
            ("jti", #""0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a12""#), ("reason", #""Invoice 18""#), ("amr", #"["pin"]"#),
            ("auth_time", "1767225599"), ("device", nil), ("aud", nil), ("request", #""request 2""#), ("quorum", nil),
        ] {
            let other = Compact.parts(try Draft.full.with(name, value).text(key))
            #expect(try Judge.code(Array("\(parts[0]).\(other[1]).\(parts[2])".utf8)) == "signature")
        }
    }

    @Test("V10: ECDSA signatures of every other form", arguments: [KeyAlgorithm.es256, .es384])
    func ecdsa(algorithm: KeyAlgorithm) throws {
        let (input, signature) = try Self.split(Draft.example.text(Keys.trusted(algorithm)))
        let width = signature.count / 2
        let (r, s) = (Array(signature[..<width]), Array(signature[width...]))
        let zero = [UInt8](repeating: 0, count: width)
        let order = try #require(Self.orders[algorithm].map(Self.bytes))
        let (one, full) = (Array(zero.dropLast()) + [1], [UInt8](repeating: 0xFF, count: width))
        let wrong: [[UInt8]] = [
            Self.der(r, s), zero + zero, zero + s, r + zero, order + s, r + order, order + order, zero + order,
            order + zero,
            Self.subtract(one, from: order) + s, r + Self.subtract(one, from: order), full + full, full + s, r + full,
            s + r,
            one + one, r.reversed() + s.reversed(), signature.reversed(), r + r, s + s, r, s, signature + [0],
            [0] + signature,
            Array(signature.dropLast()), Array(signature.dropFirst()), [0] + r + [0] + s, signature + signature, [0],
            [0x30],
            Array("\(r)".utf8), [0x30, 0], r + [0] + s, signature + [UInt8](repeating: 0, count: 16384 - 2048),
        ]
        for other in wrong {
            let code = try Judge.code(Compact.join(input, signature: other))
            #expect(code == (other.count > 10_000 ? "too-long" : "signature"), "\(other.count)")
        }
        #expect(try Judge.code(Compact.join(input, signature: [])) == "not-compact")
    }

    @Test(
        "V10: (r, n-s) verifies where (r, s) does: the identity of a signature is its jti",
        arguments: [KeyAlgorithm.es256, .es384])
    func highS(algorithm: KeyAlgorithm) throws {
        let text = try Draft.example.text(Keys.trusted(algorithm))
        let (input, signature) = try Self.split(text)
        let width = signature.count / 2
        let order = try #require(Self.orders[algorithm].map(Self.bytes))
        let twin = Compact.join(
            input, signature: signature[..<width] + Self.subtract(Array(signature[width...]), from: order))
        #expect(twin != text)
        #expect(try Judge.code(twin) == "valid")
        #expect(try Judge.claims(twin).id == Judge.claims(text).id)
    }

    @Test("V12: Ed25519 with S + L, S = 0, other lengths")
    func edDSA() throws {
        let (input, signature) = try Self.split(Draft.example.text(Keys.trusted(.edDSA)))
        let (r, s) = (Array(signature[..<32]), Array(signature[32...]))
        let order = Array(Self.bytes("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed").reversed())
        let zero = [UInt8](repeating: 0, count: 32)
        let neutral: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
        for other in [
            r + Self.addLittleEndian(s, order), r + zero, zero + s, zero + zero, neutral + zero, neutral + s, s + r,
            signature + [0], Array(signature.dropLast()), r, signature + signature, r + Array(s.reversed()),
        ] { #expect(try Judge.code(Compact.join(input, signature: other)) == "signature") }
    }

    @Test(
        "V11: RSA signatures with a zero in front, without one byte, of other sizes",
        arguments: [KeyAlgorithm.ps256, .rs256])
    func rsa(algorithm: KeyAlgorithm) throws {
        let (input, signature) = try Self.split(Draft.example.text(Keys.trusted(algorithm)))
        for other in [
            [0] + signature, signature + [0], Array(signature.dropFirst()), Array(signature.dropLast()), [0], [1],
            [UInt8](repeating: 0, count: 256), [UInt8](repeating: 0, count: 255) + [1],
            [UInt8](repeating: 0xFF, count: 256),
            Array(signature.reversed()), [0, 1] + [UInt8](repeating: 0xFF, count: 254), signature + signature,
        ] as [[UInt8]] { #expect(try Judge.code(Compact.join(input, signature: other)) == "signature") }
    }

    @Test(
        "V3: the key has one algorithm; a header that names another is invalid", arguments: KeyAlgorithm.allCases,
        KeyAlgorithm.allCases)
    func otherAlgorithm(of key: KeyAlgorithm, named: KeyAlgorithm) throws {
        let draft = Draft.example.with(header: #"{"alg":"\#(named.rawValue)","kid":"KID","typ":"countersign+jwt"}"#)
        #expect(try Judge.code(draft.text(Keys.trusted(key))) == (key == named ? "valid" : "algorithm-mismatch"))
    }

    @Test("V3: one RSA key, trusted for one algorithm, signs with the other", arguments: [KeyAlgorithm.ps256, .rs256])
    func otherPadding(trusted: KeyAlgorithm) throws {
        let key = try Keys.trusted(trusted)
        let other = try key.copy(for: trusted == .ps256 ? .rs256 : .ps256)
        #expect(other.keyID == key.keyID)
        #expect(try Judge.code(Draft.example.text(other)) == "algorithm-mismatch")
        let header = #"{"alg":"\#(trusted.rawValue)","kid":"KID","typ":"countersign+jwt"}"#
        #expect(try Judge.code(Draft.example.with(header: header).text(other)) == "signature")
    }

    @Test("V3: the kid of another trusted key", arguments: KeyAlgorithm.allCases, KeyAlgorithm.allCases)
    func otherKeyID(signer: KeyAlgorithm, named: KeyAlgorithm) throws {
        let id = try Keys.trusted(named).keyID
        let draft = Draft.example.with(header: #"{"alg":"ALG","kid":"\#(id)","typ":"countersign+jwt"}"#)
        #expect(try Judge.code(draft.text(Keys.trusted(signer))) == (signer == named ? "valid" : "algorithm-mismatch"))
    }

    @Test("A key that nobody trusts signs under a trusted key's kid", arguments: KeyAlgorithm.allCases)
    func stranger(algorithm: KeyAlgorithm) throws {
        let id = try Keys.trusted(algorithm).keyID
        let draft = Draft.example.with(header: #"{"alg":"ALG","kid":"\#(id)","typ":"countersign+jwt"}"#)
        #expect(try Judge.code(draft.text(Keys.stranger(algorithm))) == "signature")
    }

    @Test("What is signed is the text of both parts, not what they stand for")
    func signingInput() throws {
        let key = try Keys.trusted(.es256)
        let header = Draft.example.header.replacing("ALG", with: "ES256").replacing("KID", with: key.keyID)
        let (headerBytes, payload) = (Array(header.utf8), Array(Draft.example.json.utf8))
        let input = Compact.signingInput(header: headerBytes, payload: payload)
        for wrong in [
            payload, headerBytes + payload, headerBytes + [0x2E] + payload, Array(input.dropLast()), input + [0x2E],
        ] {
            #expect(try Judge.code(Compact.join(input, signature: key.sign(wrong.span))) == "signature")
        }
    }

    // MARK: Numbers

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
    }

    /// `right - left`, big-endian and of the same length.
    private static func subtract(_ left: [UInt8], from right: [UInt8]) -> [UInt8] {
        var result = right
        var borrow = 0
        for index in right.indices.reversed() {
            let difference = Int(right[index]) - Int(left[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            result[index] = UInt8(truncatingIfNeeded: difference)
        }
        return result
    }

    private static func addLittleEndian(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var result = left
        var carry = 0
        for index in left.indices {
            let sum = Int(left[index]) + Int(right[index]) + carry
            carry = sum >> 8
            result[index] = UInt8(truncatingIfNeeded: sum)
        }
        return result
    }

    private static func der(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
        func integer(_ bytes: [UInt8]) -> [UInt8] {
            let stripped = Array(bytes.drop { $0 == 0 })
            let number = (stripped.first ?? 0x80) >= 0x80 ? [0] + stripped : stripped
            return [2, UInt8(number.count)] + number
        }
        let content = integer(r) + integer(s)
        return [0x30, UInt8(content.count)] + content
    }
}
