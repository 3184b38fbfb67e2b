internal import CountersignJOSE
internal import CountersignKeys
internal import CountersignVerifier
internal import Ground

/// What is fixed: the pin of a root key, every history that it signed, and the parts of one.
private struct Fixed {
    let pin: String
    let signed: Set<[UInt8]>
    let header: [UInt8]
    let signature: [UInt8]

    init() {
        let (history, root) = VectorFile("valid").trustFile("history")
        pin = expected(root, "a history has a root key")
        let others = ["history", "old history"].map { withoutNewline(VectorFile("signature").trustFile($0).text) }
        signed = Set([withoutNewline(history)] + others)
        let parts = withoutNewline(history).split(separator: UInt8(ascii: ".")).map { Array($0) }
        expect(parts.count == 3, "a history has three parts")
        (header, signature) = (parts[0], parts[2])
        expect((try? TrustStore(history, root: pin)) != nil, "the good history can be trusted")
    }
}

private let fixed = Fixed()

/// The input as a trust file of any kind and as one key; then laid open, as the claims of the history and as the DER of
/// a key.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe bytes(start, count)
    trust(input, root: nil)
    trust(input, root: fixed.pin)
    trust(compact(fixed.header, base64URL(input), fixed.signature), root: fixed.pin)
    readSet(input)
    readKey(input)
    readKey(pem(input))
    return 0
}

private func trust(_ text: [UInt8], root: String?) {
    do {
        let store = try TrustStore(text, root: root, rsaAlgorithm: .ps256)
        expect((1...JWKSet.maxKeys).contains(store.keyCount), "a trust file has keys, and not too many")
        for warning in store.warnings { expectReadable(warning) }
        expect((store.issuer != nil) == (root != nil), "only a history has an issuer and a root")
        if root != nil { expect(fixed.signed.contains(withoutNewline(text)), "a history that is trusted was signed") }
    } catch {
        expectReadable(error.description)
    }
}

/// A set is read as it is written.
private func readSet(_ text: [UInt8]) {
    guard let set = try? JWKSet.parse(text.span) else { return }
    expect(!set.keys.isEmpty, "a set has keys")
    let json = set.json
    // What is written has a kid and a use more, and may be too long for it.
    guard json.count <= JWKSet.maxBytes else { return }
    let again = try? JWKSet.parse(json.span)
    expect(again?.keys == set.keys, "a set that is written is read again")
    expect(again?.skipped.isEmpty == true, "a set that is written has good keys only")
    for member in set.keys.prefix(4) {
        expect(Thumbprint.isWellFormed(member.keyID), "a thumbprint has its form")
        readPEM(member.key)
    }
}

/// One key in PEM, for every algorithm that could be meant.
private func readKey(_ text: [UInt8]) {
    for algorithm in [nil, KeyAlgorithm.ps256] {
        do {
            readPEM(try PublicKey(pem: text.span, algorithm: algorithm))
        } catch {
            expectReadable(error.detail)
        }
    }
}

private func readPEM(_ key: PublicKey) {
    let again = try? PublicKey(pem: Array(key.pem.utf8).span, algorithm: key.algorithm)
    expect(again == key, "a key that is written in PEM is read again")
}
