import CountersignJOSE
import CountersignKeys
import Foundation
import Sessions
import Signing
import TestVectors
import Testing

/// A proof that RFC 9449 prints.
struct PrintedProof: Decodable, Sendable, CustomTestStringConvertible {
    let name, proof, thumbprint, jti, htm, htu: String
    let iat: Int64
    let ath, accessToken: String?

    var testDescription: String { name }

    static func all() throws -> [PrintedProof] {
        struct File: Decodable {
            let vectors: [PrintedProof]
        }
        return try JSONDecoder().decode(File.self, from: VectorFile.own("sessions/rfc9449.json")).vectors
    }
}

@Suite("Hostile texts in place of a proof")
struct HostileProofTests {
    @Test(
        "RFC 9449 section 4.3 check 2, attack D10: what is no compact JWS",
        arguments: [
            "", ".", "..", "...", "a.b.c", "e30.e30.e30", "e30.e30.", "eyJhbGciOiJub25lIn0.e30.", "{}", "null", " ",
            #"{"payload":"e30","protected":"e30","signature":"e30"}"#, "DPoP e30.e30.e30", "\u{0}",
            String(repeating: "a", count: 1 << 20), String(repeating: ".", count: 2_048),
        ])
    func noProof(text: String) {
        #expect(ProofDraft.refusal(Array(text.utf8))?.code == .proofInvalid)
    }

    @Test("A proof has at most 2,048 bytes, and its jti 128")
    func lengths() throws {
        let key = try TestKeys.device.get()
        var draft = ProofDraft(key: key)
        draft.claims["jti"] = .string(String(repeating: "j", count: 128))
        #expect(try draft.refusal() == nil)
        draft.claims["nonce"] = .string("n")
        let room = 2_048 - (try draft.text().count)
        draft.claims["nonce"] = .string(String(repeating: "n", count: 1 + room / 4 * 3))
        #expect(try draft.text().count <= 2_048)
        #expect(try draft.refusal() == nil)
        draft.claims["nonce"] = .string(String(repeating: "n", count: 8 + room / 4 * 3))
        #expect(try draft.text().count > 2_048)
        #expect(try draft.refusal()?.code == .proofInvalid)
    }

    @Test("V21, attack D10: no mutated proof is accepted: each byte replaced, left out and doubled")
    func mutations() throws {
        let token = ProofDraft.token
        let good = try ProofDraft(key: try TestKeys.edwards.get(), accessToken: token).text()
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n\u{7F}".utf8)
        var random = SystemRandomNumberGenerator()
        for index in good.indices {
            var mutants: [[UInt8]] = []
            for _ in 0..<4 {
                var replaced = good
                replaced[index] = alphabet.randomElement(using: &random) ?? 0
                mutants.append(replaced)
            }
            var shorter = good
            shorter.remove(at: index)
            var longer = good
            longer.insert(good[index], at: index)
            for mutant in mutants + [shorter, longer, Array(good[..<index])] where mutant != good {
                let refusal = ProofDraft.refusal(mutant, accessToken: token)
                #expect(refusal?.code == .proofInvalid, "\(String(decoding: mutant, as: UTF8.self))")
            }
        }
    }

    @Test("A key that was read before changes no answer: what was refused stays refused")
    func keptKeys() throws {
        let keys = ProofKeys(limit: 4)
        let device = try TestKeys.device.get()
        let good = try ProofDraft(key: device).text()
        for _ in 0..<3 { #expect(try DPoPProof.parse(good, keys: keys).key == device.publicKey) }
        #expect(keys.count == 1)
        // The header of the device, whose key is known, with claims or a signature of others.
        var forged = ProofDraft(key: device)
        forged.key = try TestKeys.other.get()
        var spoilt = ProofDraft(key: device)
        spoilt.claims["jti"] = nil
        for text in [try forged.text(), try spoilt.text()] {
            #expect(performing: { try DPoPProof.parse(text, keys: keys) }, throws: Self.isInvalid)
        }
        // A header that was refused is refused again.
        var wrong = ProofDraft(key: device)
        wrong.header["kid"] = .string("a")
        for _ in 0..<2 {
            #expect(performing: { try DPoPProof.parse(wrong.text(), keys: keys) }, throws: Self.isInvalid)
        }
        #expect(keys.count == 1)
    }

    @Test("A3: the keys of strangers do not fill the memory, and a key in use stays")
    func keptKeysAreBounded() throws {
        let keys = ProofKeys(limit: 4)
        let good = try ProofDraft(key: try TestKeys.device.get()).text()
        for _ in 0..<10 {
            #expect(throws: Never.self) { try DPoPProof.parse(good, keys: keys) }
            let stranger = try ProofDraft(key: try PrivateKey(generating: .edDSA)).text()
            #expect(throws: Never.self) { try DPoPProof.parse(stranger, keys: keys) }
            #expect(keys.count <= 4)
        }
    }

    private static func isInvalid(_ error: any Error) -> Bool { (error as? Refusal)?.code == .proofInvalid }

    @Test("RFC 9449 section 11.1: the other signature that ECDSA has for the same proof is the same proof")
    func twinSignature() throws {
        let good = try ProofDraft(key: try TestKeys.device.get()).text()
        let twin = try twin(of: good)
        #expect(twin != good)
        let window = ReplayWindow()
        let first = try DPoPProof.parse(good)
        let second = try DPoPProof.parse(twin)
        #expect(window.admit(thumbprint: first.thumbprint, jti: first.jti, at: ProofDraft.now) == .new)
        #expect(window.admit(thumbprint: second.thumbprint, jti: second.jti, at: ProofDraft.now) == .replayed)
    }

    @Test("RFC 9449: its printed proofs say what it says", arguments: try PrintedProof.all())
    func printed(row: PrintedProof) throws {
        let proof = try DPoPProof.parse(Array(row.proof.utf8))
        #expect(proof.thumbprint == row.thumbprint)
        #expect(proof.jti == row.jti)
        #expect(proof.nonce == nil)
        #expect(proof.accessTokenHash == row.ath)
        try proof.check(method: row.htm, url: row.htu, accessToken: row.accessToken, at: row.iat * 1_000)
        #expect(throws: Refusal(.proofInvalid, .member("iat"))) {
            try proof.check(method: row.htm, url: row.htu, accessToken: row.accessToken, at: ProofDraft.now)
        }
    }

    @Test("RFC 9449: the public copy of its examples", .enabled(if: VectorFile.suites != nil))
    func suite() throws {
        struct Example: Decodable {
            struct Claims: Decodable {
                let jti, htm, htu: String
                let iat: Int64
                let ath: String?
            }
            let jwt: String
            let claims: Claims
        }
        let examples = try JSONDecoder().decode([Example].self, from: VectorFile.suite("rfc9449-dpop/examples.json"))
        #expect(examples.count == 4)
        for example in examples {
            let proof = try DPoPProof.parse(Array(example.jwt.utf8))
            #expect(proof.jti == example.claims.jti)
            #expect(proof.method == example.claims.htm)
            #expect(proof.url == example.claims.htu)
            #expect(proof.issuedAt == example.claims.iat)
            #expect(proof.accessTokenHash == example.claims.ath)
        }
    }

    /// The proof with n - s in place of s, where n is the order of P-256 (FIPS 186-4, D.1.2.3).
    private func twin(of proof: [UInt8]) throws -> [UInt8] {
        let order: [UInt8] = [
            0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD,
            0xA7, 0x17,
            0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]
        let parts = try JWSParts(proof, maxBytes: proof.count)
        var signature = parts.signature
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(signature[32 + index]) - borrow
            borrow = difference < 0 ? 1 : 0
            signature[32 + index] = UInt8(truncatingIfNeeded: difference)
        }
        return parts.text[parts.signingInput] + [UInt8(ascii: ".")] + Array(Base64URL.encode(signature.span).utf8)
    }
}
