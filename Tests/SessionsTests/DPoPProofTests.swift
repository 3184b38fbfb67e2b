import CountersignJOSE
import CountersignKeys
import Sessions
import Signing
import Testing

/// One way to spoil a proof, and the member that the refusal names.
struct Spoilt: Sendable, CustomTestStringConvertible {
    let name: String
    let member: String?
    let spoil: @Sendable (inout ProofDraft) throws -> Void

    init(_ name: String, _ member: String?, _ spoil: @escaping @Sendable (inout ProofDraft) throws -> Void) {
        self.name = name
        self.member = member
        self.spoil = spoil
    }

    var testDescription: String { name }
}

@Suite("Proofs of possession")
struct DPoPProofTests {
    @Test("RFC 9449 section 4: our own proofs are accepted", arguments: [KeyAlgorithm.es256, .edDSA])
    func roundTrip(algorithm: KeyAlgorithm) throws {
        let key = try PrivateKey(generating: algorithm)
        for (token, nonce) in [(nil, nil), (ProofDraft.token, "n-1")] as [(String?, String?)] {
            let text = try DPoPProof.sign(
                method: "POST", url: ProofDraft.url, accessToken: token, nonce: nonce, at: ProofDraft.now + 999,
                with: key)
            let proof = try DPoPProof.parse(Array(text.utf8))
            try proof.check(method: "POST", url: ProofDraft.url, accessToken: token, at: ProofDraft.now)
            #expect(proof.key == key.publicKey)
            #expect(proof.thumbprint == Thumbprint.sha256(of: key.publicKey))
            #expect(proof.nonce == nonce)
            #expect(proof.issuedAt == ProofDraft.now / 1_000)
            #expect(proof.jti.utf8.count == 22)
        }
    }

    @Test("RFC 9449 section 5: a proof is made with ES256 or EdDSA and nothing else")
    func algorithms() throws {
        for key in [try TestKeys.p384.get(), try TestKeys.rsa.get()] {
            #expect(throws: KeyError.self) {
                try DPoPProof.sign(method: "GET", url: "https://a", accessToken: nil, nonce: nil, at: 0, with: key)
            }
            #expect(try ProofDraft(key: key).refusal() == Refusal(.proofInvalid, .member("alg")))
        }
    }

    @Test("The drafts below are right before they are spoilt")
    func rightDrafts() throws {
        for key in [try TestKeys.device.get(), try TestKeys.edwards.get()] {
            #expect(try ProofDraft(key: key).refusal() == nil)
            #expect(try ProofDraft(key: key, accessToken: ProofDraft.token).refusal() == nil)
        }
    }

    @Test("RFC 9449 section 4.3 checks 2 to 7, attack D10: a proof that is none", arguments: Self.forms)
    func form(_ row: Spoilt) throws {
        var draft = ProofDraft(key: try TestKeys.device.get())
        try row.spoil(&draft)
        #expect(try draft.refusal() == Refusal(.proofInvalid, row.member.map { .member($0) }))
    }

    @Test(
        "RFC 9449 section 4.3 checks 8, 9, 11 and 12, attack D10: a proof for something else", arguments: Self.requests)
    func request(_ row: Spoilt) throws {
        var draft = ProofDraft(key: try TestKeys.device.get(), accessToken: ProofDraft.token)
        try row.spoil(&draft)
        #expect(try draft.refusal() == Refusal(.proofInvalid, row.member.map { .member($0) }))
        // They are well-formed: it is the request that they do not fit.
        let text = try draft.text()
        #expect(throws: Never.self) { try DPoPProof.parse(text) }
    }

    @Test(
        "RFC 9449 section 4.3 check 11: iat is within 300 seconds of the clock",
        arguments: [
            (-300_000, true), (300_000, true), (0, true), (300_999, true), (301_000, false), (-300_001, false),
            (-301_000, false), (.max - ProofDraft.now, false), (.min + 1, false),
        ] as [(Int64, Bool)])
    func age(offset: Int64, isAccepted: Bool) throws {
        let draft = ProofDraft(key: try TestKeys.device.get())
        #expect(try (draft.refusal(at: ProofDraft.now + offset) == nil) == isAccepted)
    }

    @Test("An iat at either end of 64 bits is refused, and nothing traps", arguments: [Int64.min, .min + 1, -1, .max])
    func extremeAge(iat: Int64) throws {
        var draft = ProofDraft(key: try TestKeys.device.get())
        draft.claims["iat"] = .number(JSONNumber(iat))
        for now in [ProofDraft.now, 0, .max, .min] where abs(Double(now) / 1_000 - Double(iat)) > 301 {
            #expect(try draft.refusal(at: now) == Refusal(.proofInvalid, .member("iat")))
        }
    }

    @Test("RFC 9449 section 7.1: without an access token there is no ath, with one there is")
    func binding() throws {
        let key = try TestKeys.device.get()
        let bound = try ProofDraft(key: key, accessToken: ProofDraft.token).text()
        let unbound = try ProofDraft(key: key).text()
        let refused = Refusal(.proofInvalid, .member("ath"))
        #expect(ProofDraft.refusal(bound, accessToken: nil) == refused)
        #expect(ProofDraft.refusal(unbound, accessToken: ProofDraft.token) == refused)
        #expect(ProofDraft.refusal(bound, accessToken: ProofDraft.token + "A") == refused)
    }

    @Test(
        "A request whose own URL has a query or a fragment is the caller's mistake: no proof fits",
        arguments: ["?a=b", "#f"])
    func requestURL(end: String) throws {
        let url = ProofDraft.url + end
        let text = try DPoPProof.sign(
            method: "POST", url: url, accessToken: nil, nonce: nil, at: ProofDraft.now, with: try TestKeys.device.get())
        let proof = try DPoPProof.parse(Array(text.utf8))
        #expect(throws: Refusal(.proofInvalid, .member("htu"))) {
            try proof.check(method: "POST", url: url, accessToken: nil, at: ProofDraft.now)
        }
    }
}
