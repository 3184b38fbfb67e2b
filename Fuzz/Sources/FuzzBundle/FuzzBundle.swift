internal import CountersignJOSE
internal import CountersignKeys
internal import CountersignVerifier
internal import Ground

/// What is fixed: the keys, the time, the statements of one good bundle, and every statement that a good bundle of the
/// vectors has.
private struct Fixed {
    let verifier: StatementVerifier
    let now: Int64
    /// The beginning of a good bundle, up to its keys.
    let beginning: [UInt8]
    let signed: Set<String>

    init() {
        let file = VectorFile("valid", of: "bundles")
        now = file.now
        let trust = try? TrustStore(file.trustFile("jwks").text)
        verifier = StatementVerifier(trust: expected(trust, "the vectors' keys can be trusted"))
        let tests = ["valid", "members", "together"].flatMap { VectorFile($0, of: "bundles").tests }
        let texts = tests.compactMap { $0["bundle"]?.string.map { Array($0.utf8) } }
        signed = Set(texts.flatMap { (try? UnverifiedBundle($0.span))?.statements ?? [] })
        let good = Array(expected(file.test("two of three")["bundle"]?.string, "a test has a bundle").utf8)
        beginning = Array(good.dropLast(#"{"keys":[]}}"#.utf8.count))
        expect(verifier.verifyBundle(good, at: now).code == "valid", "the good one is valid")
    }
}

private let fixed = Fixed()
/// One session for the whole run: what it keeps of one text must not change what it says of the next.
private nonisolated(unsafe) let session = fixed.verifier.makeSession()

/// The input as a bundle; then as the keys of a good one.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe bytes(start, count)
    verify(input)
    let withKeys = fixed.beginning + input + Array("}".utf8)
    verify(withKeys)
    if let bundle = try? UnverifiedBundle(withKeys.span) { compare(bundle.keys, with: input) }
    return 0
}

private func verify(_ text: [UInt8]) {
    let verdict = fixed.verifier.verifyBundle(text, at: fixed.now)
    let again = unsafe session.verifyBundle(text.span, at: fixed.now)
    expect(verdict.code == again.code, "a session says what a new verifier says")
    let bundle = try? UnverifiedBundle(text.span)
    expect((bundle == nil) == verdict.statements.isEmpty, "each statement of what is a bundle has its verdict")
    if let bundle {
        expect(UnverifiedBundle.begins(text.span), "what is a bundle begins like one")
        expect(bundle.text == withoutNewline(text), "a bundle has one text")
        expect(bundle.statements.count == verdict.statements.count, "each statement has one verdict")
    }
    switch verdict.outcome {
    case .invalid(let fault):
        expectReadable(fault.description)
        if let place = fault.place { expect((1...verdict.statements.count).contains(place), "a place is one") }
    case .indeterminate(let place, let reason):
        expectReadable(reason.description)
        expect((1...verdict.statements.count).contains(place), "a place is one")
    case .valid(let valid): check(valid, expected(bundle, "what is valid has the form"))
    }
}

private func check(_ valid: VerifiedBundle, _ bundle: UnverifiedBundle) {
    expect(bundle.statements.allSatisfy { fixed.signed.contains($0) }, "what is valid was signed")
    expect(valid.statements.count == bundle.statements.count, "all statements of a valid bundle are valid")
    let users = valid.statements.map(\.claims.subject)
    expect(zip(users, users.dropFirst()).allSatisfy { $0 < $1 }, "each person signed once")
    let quorum = expected(valid.shared.reserved.quorum, "somebody said how many")
    expect(users.count >= quorum.required && users.count <= quorum.asked, "they are as many as are needed")
    for claims in valid.statements.map(\.claims) {
        expect(claims.payload.utf8.elementsEqual(valid.shared.payload.utf8), "they signed the same")
        expect(claims.reserved[.request] == valid.shared.reserved[.request], "they signed for one request")
    }
    let again = try? UnverifiedBundle(collecting: bundle.statements.reversed(), keys: bundle.keys)
    expect(again?.text == bundle.text, "statements in any order make the same bundle")
}

/// What the bundle took as keys is what the parser of trust files reads.
private func compare(_ keys: BundleKeys, with input: [UInt8]) {
    guard case .set(let keys) = keys, !keys.isEmpty else { return }
    let set = expected(try? JWKSet.parse(input.span), "the keys of a bundle are a key set")
    expect(set.skipped.isEmpty && set.keys.map(\.key) == keys, "both readers read the same keys")
}
