import CountersignKeys
import CountersignVerifier

/// A file with the trusted keys, as a person names it.
struct TrustFile {
    /// Its path, `-` for standard input.
    let path: String
    /// The thumbprint of the root key, for a key history.
    var root: String?
    /// What RSA keys in PEM are for.
    var rsaAlgorithm: KeyAlgorithm?

    /// The most warnings that are printed.
    private static let warningLimit = 20

    /// The keys, and whatever had to be left out on standard error.
    func load() throws(Failure) -> TrustStore { try keys(in: bytes()) }

    /// The keys, and a digest that two files, or two ways to read one, do not share.
    func loadWithDigest() throws(Failure) -> (store: TrustStore, digest: String) {
        let bytes = try bytes()
        var digest = SHA256()
        digest.update(Array("\(root ?? "") \(rsaAlgorithm?.rawValue ?? "")\n".utf8).span)
        digest.update(bytes.span)
        return (try keys(in: bytes), Hex.text(of: digest.finalize()))
    }

    private func bytes() throws(Failure) -> [UInt8] {
        try InputSource(file: path).bytes(limit: TrustStore.maxBytes, what: "trust file")
    }

    private func keys(in bytes: [UInt8]) throws(Failure) -> TrustStore {
        do throws(TrustError) {
            let keys = try TrustStore(bytes, root: root, rsaAlgorithm: rsaAlgorithm)
            for warning in keys.warnings.prefix(Self.warningLimit) { Diagnosis.warn("\(path): \(warning)") }
            let more = keys.warnings.count - Self.warningLimit
            if more > 0 { Diagnosis.warn("\(path): \(Figures.counted(more, "more key")) skipped") }
            return keys
        } catch {
            throw Failure(.refusedInput, "the trust file \(path) cannot be used: \(error)", advice: advice(error))
        }
    }

    private func advice(_ error: TrustError) -> String? {
        switch error.code {
        case .rootNotPinned:
            "Ask the issuer for the thumbprint over another way than the history, and give it by --root."
        case .rootDiffers: "Do not use it unless the issuer confirms the new root key over another way."
        case .rootMalformed: "Get it again from the issuer: `countersign trust export --root` prints its 43 characters."
        case .algorithmNeeded: "Say what it is for: --rsa-algorithm PS256 or --rsa-algorithm RS256."
        case .rootNotExpected: "Leave --root away, or give a key history."
        default: "Get it again from the issuer: a JWKS, a key history or PEM."
        }
    }
}
