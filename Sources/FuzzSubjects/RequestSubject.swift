internal import CountersignJOSE
internal import CountersignKeys
internal import CountersignVerifier
internal import Sessions
internal import Signing
internal import Wire

/// What a stranger's request brings, read as the service reads it. For `Fuzz/` alone.
public enum RequestSubject {
    /// Reads an input as what its first byte says.
    ///
    /// - Returns: a closure that returns the rule that does not hold; nil where all do.
    /// - Throws: an error of the library of keys.
    public static func reading() throws -> @Sendable ([UInt8]) -> String? {
        let reader = RequestReader(key: try PrivateKey(generating: .es256).publicKey)
        return { input in
            do throws(BrokenRule) { try reader.read(input) } catch { return error.rule }
            return nil
        }
    }
}

/// A rule that does not hold.
private struct BrokenRule: Error {
    let rule: String
}

private struct RequestReader: Sendable {
    let key: PublicKey

    func read(_ input: [UInt8]) throws(BrokenRule) {
        guard let kind = input.first else { return }
        let bytes = Array(input.dropFirst())
        switch kind {
        case UInt8(ascii: "f"): try form(bytes)
        case UInt8(ascii: "p"): try proof(bytes)
        case UInt8(ascii: "o"): try openProof(bytes)
        case UInt8(ascii: "a"): try assertion(bytes)
        case UInt8(ascii: "w"): try words(bytes)
        case UInt8(ascii: "A"): try Self.body(StartSigning.self, bytes)
        case UInt8(ascii: "B"): try Self.body(AnswerChallenge.self, bytes)
        case UInt8(ascii: "C"): try Self.body(EnrolDevice.self, bytes)
        case UInt8(ascii: "D"): try Self.body(LogIn.self, bytes)
        case UInt8(ascii: "E"): try Self.body(LogInOperator.self, bytes)
        case UInt8(ascii: "F"): try Self.body(VerifyStatements.self, bytes)
        case UInt8(ascii: "G"): try Self.body(AddUser.self, bytes)
        case UInt8(ascii: "H"): try Self.body(AddClient.self, bytes)
        case UInt8(ascii: "I"): try Self.body(CreateKey.self, bytes)
        case UInt8(ascii: "J"): try Self.body(RotateKeys.self, bytes)
        case UInt8(ascii: "K"): try Self.body(RevokeKey.self, bytes)
        case UInt8(ascii: "L"): try Self.body(ChangeSetting.self, bytes)
        case UInt8(ascii: "M"): try Self.body(StartBatch.self, bytes)
        default: break
        }
    }

    // MARK: Bodies

    /// What is read is written, and read again alike.
    private static func body<Message: WireMessage>(_: Message.Type, _ bytes: [UInt8])
        throws(BrokenRule)
    {
        let json: [UInt8]
        do throws(Refusal) { json = try Message.parse(bytes).json } catch { return try refused(error) }
        let again = try? Message.parse(json).json
        try expect(again == json, "a message that is written is read again")
    }

    private func form(_ bytes: [UInt8]) throws(BrokenRule) {
        let form: [UInt8]
        do throws(Refusal) { form = try TokenRequest.parse(bytes).form } catch {
            return try Self.refused(error)
        }
        let again = try? TokenRequest.parse(form).form
        try Self.expect(again == form, "a form that is written is read again")
    }

    // MARK: Proofs

    private func proof(_ bytes: [UInt8]) throws(BrokenRule) {
        let proof: DPoPProof
        do throws(Refusal) { proof = try DPoPProof.parse(bytes) } catch {
            return try Self.refused(error)
        }
        try Self.expect(Thumbprint.isWellFormed(proof.thumbprint), "a proof's key has its thumbprint")
        try Self.expect((1...DPoPProof.maxIDBytes).contains(proof.jti.utf8.count), "a proof has an id")
        try Self.expect(
            DPoPProof.algorithms.contains(proof.key.algorithm), "a proof has one of two algorithms")
    }

    /// Header and claims laid open, a line each; nobody has signed them.
    private func openProof(_ bytes: [UInt8]) throws(BrokenRule) {
        let lines = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard lines.count == 2 else { return }
        let parts = lines.map { Base64URL.encode(Array($0).span) } + [String(repeating: "A", count: 86)]
        let text = Array(parts.joined(separator: ".").utf8)
        let isProof = (try? DPoPProof.parse(text)) != nil
        try Self.expect(!isProof, "a proof is signed")
        try assertion(text)
    }

    private func assertion(_ bytes: [UInt8]) throws(BrokenRule) {
        let client = ClientAssertion.claimedClient(bytes)
        let assertion = try? ClientAssertion.parse(
            bytes, key: key, audience: "https://sign.example", client: client?.text ?? "shop",
            at: 1_700_000_000_000)
        try Self.expect(assertion == nil, "an assertion is signed by the client's key")
    }

    // MARK: Words

    /// What has one spelling has no other.
    private func words(_ bytes: [UInt8]) throws(BrokenRule) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        for kind in SessionToken.Kind.allCases {
            guard let token = SessionToken(text, kind) else { continue }
            try Self.expect(token.text.utf8.elementsEqual(text.utf8), "a token has one spelling")
        }
        if let code = ActivationCode(text) {
            try Self.expect(
                ActivationCode(code.text)?.text == code.text, "a code's spelling is read again")
        }
        if let name = ClientName(text) {
            try Self.expect(name.text.utf8.elementsEqual(text.utf8), "a client's name has one spelling")
        }
        if let name = UserName(text) {
            try Self.expect(name.text.utf8.elementsEqual(text.utf8), "a user's name has one spelling")
        }
        guard BasicCredentials(text) != nil else { return }
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        try Self.expect(
            text.utf8.count - digits.count <= 2
                && text.utf8.dropFirst(digits.count).allSatisfy { $0 == 0x3D },
            "base64 is padded at its end")
    }

    // MARK: Rules

    /// A refusal of what somebody sent is theirs, and can be told.
    private static func refused(_ refusal: Refusal) throws(BrokenRule) {
        try expect((400..<500).contains(refusal.httpStatus), "what is refused is the client's fault")
        let problem = Problem(refusal, requestID: "r").json
        try expect(
            (try? Problem.parse(problem))?.json == problem, "a problem that is written is read again")
    }

    private static func expect(_ holds: Bool, _ rule: String) throws(BrokenRule) {
        if !holds { throw BrokenRule(rule: rule) }
    }
}
