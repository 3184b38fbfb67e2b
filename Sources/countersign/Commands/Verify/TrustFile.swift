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

    /// The keys, and whatever had to be left out on standard error.
    func load() throws(Failure) -> TrustStore {
        let bytes = try InputSource(file: path).bytes(limit: TrustStore.maxBytes, what: "trust file")
        do throws(TrustError) {
            let keys = try TrustStore(bytes, root: root, rsaAlgorithm: rsaAlgorithm)
            for warning in keys.warnings { Diagnosis.warn("\(path): \(warning)") }
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
        case .rootNotExpected: "Leave --root away, or give a key history."
        default: "Get it again from the issuer: a JWKS, a key history or PEM."
        }
    }
}
