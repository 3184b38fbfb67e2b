internal import CountersignJOSE
internal import CountersignKeys
internal import CountersignVerifier
internal import Ground

/// What is fixed: the keys, the time, one good statement, and every text that the keys of the vectors have signed.
private struct Fixed {
    let verifier: StatementVerifier
    let now: Int64
    let header: [UInt8]
    let claims: [UInt8]
    let signature: [UInt8]
    let signed: Set<[UInt8]>

    init() {
        let file = VectorFile("valid")
        now = file.now
        let trust = try? TrustStore(file.trustFile("jwks").text)
        verifier = StatementVerifier(trust: expected(trust, "the vectors' keys can be trusted"))
        // Those of the policy's file are signed too, and fail for what they say.
        let tests =
            file.tests + VectorFile("policy").tests
            + VectorFile("result").tests.filter { $0["verdict"]?.string == "valid" }
        signed = Set(tests.compactMap { $0["statement"]?.string.flatMap(Self.statement) })
        let parts = expected(file.test("signed with ES256")["statement"]?.string, "a test has a statement")
            .utf8.split(separator: UInt8(ascii: ".")).map { Array($0) }
        expect(parts.count == 3, "a statement has three parts")
        (header, claims, signature) = (parts[0], parts[1], parts[2])
        expect(verifier.verify(compact(header, claims, signature), at: now).code == "valid", "the good one is valid")
    }

    /// The statement that a text is, or that it wraps as a JSON result.
    static func statement(_ text: String) -> [UInt8]? {
        guard text.utf8.first != UInt8(ascii: "e") else { return withoutNewline(Array(text.utf8)) }
        let json = try? JSON(parsing: Array(text.utf8), maxBytes: 65_536)
        return json?.object?["payloadSignature"]?.string.map { Array($0.utf8) }
    }
}

private let fixed = Fixed()
/// One session for the whole run: what it keeps of one text must not change what it says of the next.
private nonisolated(unsafe) let session = fixed.verifier.makeSession()

/// The input as a statement or a JSON result; then laid open, as the claims and as the header of the good statement,
/// because no mutation would find its way through base64url.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe bytes(start, count)
    verify(input)

    let ofClaims = compact(fixed.header, base64URL(input), fixed.signature)
    verify(ofClaims)
    if let statement = try? UnverifiedStatement(ofClaims.span) { compare(statement.claims, with: members(input)) }

    let ofHeader = compact(base64URL(input), fixed.claims, fixed.signature)
    verify(ofHeader)
    if let statement = try? UnverifiedStatement(ofHeader.span) {
        let members = members(input)
        expect(members.members.count == 3, "a header has three members")
        expectSame(members["alg"], statement.algorithm.rawValue)
        expectSame(members["kid"], statement.keyID)
        expectSame(members["typ"], "countersign+jwt")
    }
    return 0
}

private func verify(_ text: [UInt8]) {
    let verdict = fixed.verifier.verify(text, at: fixed.now)
    let again = unsafe session.verify(text.span, at: fixed.now)
    expect(verdict.code == again.code, "a session says what a new verifier says")
    switch verdict {
    case .invalid(let reason): expectReadable(reason.description)
    case .indeterminate(let reason): expectReadable(reason.description)
    case .valid(let statement):
        if fixed.signed.contains(withoutNewline(text)) { return }
        // No text is valid that was not signed: what is left is a JSON result around one that was.
        let result = members(text, "what is valid was signed")
        let inner = expected(result["payloadSignature"]?.string, "what is valid was signed")
        expect(fixed.signed.contains(Array(inner.utf8)), "what is valid was signed")
        expect(result.members.count == 7, "a result has seven members")
        expectSame(result["dataPayload"], statement.claims.payload)
        expectSame(result["reason"], statement.claims.reason)
        expectSame(result["dataSignatureID"], statement.claims.id.text)
        expectSame(result["authLevel"], statement.claims.level.rawValue)
        expectSame(result["authenticatorType"], statement.claims.authenticatorType.rawValue)
    }
}

/// What the decoder of claims read is what the parser of any JSON reads.
private func compare(_ claims: Claims, with object: JSONObject) {
    expectSame(object["iss"], claims.issuer)
    expectSame(object["sub"], claims.subject.text)
    expectSame(object["iat"], Int(claims.issuedAt))
    expectSame(object["jti"], claims.id.text)
    expectSame(object["payload"], claims.payload)
    expectSame(object["reason"], claims.reason)
    expectSame(object["auth_level"], claims.level.rawValue)
    expectSame(object["authenticator_type"], claims.authenticatorType.rawValue)
    expectSame(object["ceremony"], claims.ceremony.text)
    var count = 10  // and acr, which follows from the level
    for (name, text) in [("aud", claims.audience), ("device", claims.device?.text)] {
        guard let text else { continue }
        expectSame(object[name], text)
        count += 1
    }
    if let time = claims.authTime {
        expectSame(object["auth_time"], Int(time))
        count += 1
    }
    if !claims.methods.isEmpty {
        let methods = expected(object["amr"]?.array, "amr is an array")
        expect(methods.count == claims.methods.count, "amr has its methods")
        for (method, read) in zip(methods, claims.methods) { expectSame(method, read.rawValue) }
        count += 1
    }
    for name in [ClaimName.request, .notification, .template, .batch, .evidence, .quorum] {
        guard let text = claims.reserved[name] else { continue }
        expectSame(object[name.rawValue], text)
        count += 1
    }
    expect(object.members.count == count, "no claim was passed over")
    expectReadable(TextEscape.escaped(claims.reason))
    expect(TextEscape.escaped(claims.payload).utf8.allSatisfy { $0 >= 0x20 }, "an escaped text is one line")
    if let digest = FileDigest(line: claims.payload) {
        expect(digest.line.utf8.elementsEqual(claims.payload.utf8), "a file's digest is written as it was read")
    }
}

private func members(_ text: [UInt8], _ rule: String = "what was read is a JSON object") -> JSONObject {
    expected((try? JSON(parsing: text, maxBytes: 65_536))?.object, rule)
}

private func expectSame(_ member: JSON?, _ text: String) {
    expect(member?.string?.utf8.elementsEqual(text.utf8) == true, "both readers read the same text")
}

private func expectSame(_ member: JSON?, _ number: Int) {
    expect(member?.integer == Int64(number), "both readers read the same number")
}
