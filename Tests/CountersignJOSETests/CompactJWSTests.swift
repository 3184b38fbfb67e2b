import CountersignJOSE
import CountersignKeys
import TestVectors
import Testing

@Suite("Compact JWS: RFC 7515, RFC 8725")
struct CompactJWSTests {
    private func parse(_ text: String, maxBytes: Int = 16_384) throws(JOSEError) -> CompactJWS {
        try CompactJWS.parse(Array(text.utf8), type: "test+jwt", maxBytes: maxBytes)
    }

    private func compact(header: [UInt8], payload: String = "{}", signature: [UInt8] = [1, 2, 3]) -> String {
        [header, Array(payload.utf8), signature].map { Base64URL.encode($0.span) }.joined(separator: ".")
    }

    @Test("What is signed is read, and only that key and that text are right", arguments: KeyAlgorithm.allCases)
    func signing(algorithm: KeyAlgorithm) throws {
        let key = try PrivateKey(generating: algorithm, rsaBits: 2048)
        let keyID = Thumbprint.sha256(of: key.publicKey)
        let payload = Array(#"{"a":"é"}"#.utf8)
        let signed = try CompactJWS.sign(payload, type: "test+jwt", keyID: keyID, with: key.makeSigner())
        let read = try CompactJWS.parse(signed, type: "test+jwt", maxBytes: 10_000)
        #expect(read.header.algorithm == algorithm && read.header.keyID == keyID && read.payload == payload)
        #expect(read.header.members.members.map(\.name) == ["alg", "kid", "typ"])
        #expect(read.text == signed && signed[read.signingInput].count(where: { $0 == UInt8(ascii: ".") }) == 1)
        #expect(read.isSigned(by: key.publicKey))
        #expect(try !read.isSigned(by: PrivateKey(generating: algorithm, rsaBits: 2048).publicKey))
        for index in signed.indices where index % 7 == 0 || index > signed.count - 4 {
            var changed = signed
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let read = try? CompactJWS.parse(changed, type: "test+jwt", maxBytes: 10_000)
            #expect(read?.isSigned(by: key.publicKey) != true, "\(index)")
        }
    }

    @Test("V3: the algorithm comes from the key")
    func algorithmOfTheKey() throws {
        let rsa = try PrivateKey(generating: .rs256, rsaBits: 2048)
        let twin = try PublicKey(rsa.publicKey.components, algorithm: .ps256)
        let signed = try CompactJWS.sign([1], type: "test+jwt", keyID: "a", with: rsa.makeSigner())
        let read = try CompactJWS.parse(signed, type: "test+jwt", maxBytes: 10_000)
        #expect(read.isSigned(by: rsa.publicKey) && !read.isSigned(by: twin))
    }

    @Test("V1, V2, V4-V8, V17: every header of headers.json is refused for its reason")
    func headers() throws {
        for row in try VectorRow.rows("headers.json", members: ["name", "rule", "header", "hex", "refused"]) {
            for payload in ["{}", "x"] {
                let input = compact(header: try row.bytes(or: "header"), payload: payload)
                #expect(code { () throws(JOSEError) in try parse(input) } == row["refused"], "\(row.name)")
            }
        }
    }

    @Test("V1, V9, V14: every text of compact.json is refused for its reason")
    func texts() throws {
        for row in try VectorRow.rows("compact.json", members: ["name", "rule", "text", "refused"]) {
            let input = try #require(row["text"])
            #expect(code { () throws(JOSEError) in try parse(input) } == row["refused"], "\(row.name)")
        }
    }

    @Test("V2: no key can be used as an HMAC secret, for there is no HMAC", arguments: KeyAlgorithm.allCases)
    func noHMAC(algorithm: KeyAlgorithm) throws {
        let key = try PrivateKey(generating: algorithm, rsaBits: 2048).publicKey
        // Whatever the tag is made with (PEM, DER, JWK, raw, empty), the header is refused before it is looked at.
        for name in ["HS256", "HS384", "HS512"] {
            let tag = SHA256.hash(Array(key.pem.utf8).span)
            let input = compact(header: Array(#"{"alg":"\#(name)","typ":"test+jwt"}"#.utf8), signature: tag)
            #expect(code { () throws(JOSEError) in try parse(input) } == "unsupportedAlgorithm")
        }
    }

    @Test("Members that nobody knows are kept for the caller; jwk only where it is asked for")
    func otherMembers() throws {
        let header = #"{"typ":"test+jwt", "jwk":{"kty":"EC"},"cty":"x","alg":"ES256"}"#
        let input = Array(compact(header: Array(header.utf8)).utf8)
        let read = try CompactJWS.parse(input, type: "test+jwt", maxBytes: 1_000, allowsKey: true)
        #expect(read.header.members["jwk"]?.object?["kty"]?.string == "EC")
        #expect(read.header.members["cty"]?.string == "x" && read.header.keyID == nil)
        let refused = code { () throws(JOSEError) in try CompactJWS.parse(input, type: "test+jwt", maxBytes: 1_000) }
        #expect(refused == "refusedHeaderMember")
        let jku = compact(header: Array(#"{"alg":"ES256","jku":"x","typ":"test+jwt"}"#.utf8))
        let stillRefused = code { () throws(JOSEError) in
            try CompactJWS.parse(Array(jku.utf8), type: "test+jwt", maxBytes: 1_000, allowsKey: true)
        }
        #expect(stillRefused == "refusedHeaderMember")
    }

    @Test("V15: a long text is not looked at")
    func length() throws {
        let input = compact(header: Array(#"{"alg":"ES256","typ":"test+jwt"}"#.utf8))
        _ = try parse(input, maxBytes: input.utf8.count)
        #expect(code { () throws(JOSEError) in try parse(input, maxBytes: input.utf8.count - 1) } == "tooLong")
        let long = [UInt8](repeating: UInt8(ascii: "."), count: 1 << 20)
        let duration = ContinuousClock().measure {
            _ = try? CompactJWS.parse(long, type: "test+jwt", maxBytes: 16_384)
            _ = try? CompactJWS.parse(long, type: "test+jwt", maxBytes: 1 << 20)
        }
        #expect(duration < .milliseconds(500))
    }

    @Test("Mutated texts never trap, and none is signed")
    func mutations() throws {
        let key = try PrivateKey(generating: .edDSA)
        let signed = try CompactJWS.sign(
            Array(#"{"sub":"alice"}"#.utf8), type: "test+jwt", keyID: "k", with: key.makeSigner())
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<5_000 {
            var bytes = signed
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = .random(in: .min ... .max, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8(ascii: "."), at: place)
                default: bytes[place] ^= 1
                }
            }
            guard bytes != signed else { continue }
            let read = try? CompactJWS.parse(bytes, type: "test+jwt", maxBytes: 10_000)
            #expect(read?.isSigned(by: key.publicKey) != true)
        }
    }
}
