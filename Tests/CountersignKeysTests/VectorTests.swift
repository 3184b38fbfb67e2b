import CountersignKeys
import Testing

@Suite("Vectors of the RFCs")
struct VectorTests {
    @Test("All vector files are read")
    func counts() {
        #expect(SignatureVector.all.count == 10)
        #expect(RefusedKey.components.count > 80)
        #expect(RefusedKey.publicKeys.count > 50)
        #expect(RefusedKey.privateKeys.count > 70)
    }

    @Test("RFC 6979, 7515, 7520, 8032: the signature holds, and no other one does", arguments: SignatureVector.all)
    func signature(_ vector: SignatureVector) throws {
        let key = try PublicKey(try #require(vector.publicKey.components), algorithm: vector.algorithm)
        let signature = vector.signature.bytes
        let message = vector.message.bytes
        let verifier = key.makeVerifier()
        for round in 0..<2 {
            #expect(verifier.isValid(signature.span, for: message.span) == true, "round \(round)")
            for index in signature.indices {
                var other = signature
                other[index] ^= 1 << UInt8(index % 8)
                let isValid = verifier.isValid(other.span, for: message.span)
                #expect(!isValid, "byte \(index)")
            }
            for length in [0, 1, signature.count - 1, signature.count + 1, 2 * signature.count] {
                let other = Array((signature + signature + [0]).prefix(length))
                #expect(!key.accepts(other, for: message))
            }
            #expect(!key.accepts([0] + signature, for: message))
            #expect(!key.accepts(signature, for: message + [0]))
        }
    }

    @Test(
        "RFC 8032 section 7.1: Ed25519 signatures are the ones of the RFC",
        arguments: SignatureVector.all.filter { $0.seed != nil })
    func deterministic(_ vector: SignatureVector) throws {
        let seed = try #require(vector.seed).bytes
        // RFC 8410 section 7.
        let der: [UInt8] = [
            0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
        ]
        let key = try SecretBytes(der + seed).withBytes { der in try PrivateKey(der: der, algorithm: .edDSA) }
        #expect(key.publicKey.components == vector.publicKey.components)
        let signer = key.makeSigner()
        for _ in 0..<3 {
            let signature = try signer.sign(vector.message.bytes.span)
            #expect(signature == vector.signature.bytes)
        }
    }
}
