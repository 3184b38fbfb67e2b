import ArgumentParser
import CountersignKeys
import CountersignVerifier

/// Whose keys are believed.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The trusted keys: a JWKS, a key history or PEM. Without it, the keys of the store.", valueName: "file"))
    var trust: String?

    @Option(help: ArgumentHelp("The thumbprint of the root key: needed with a key history.", valueName: "thumbprint"))
    var root: String?

    @Option(
        help: ArgumentHelp(
            "What RSA keys in a PEM file are for, since PEM cannot say it: PS256 or RS256.", valueName: "algorithm"))
    var rsaAlgorithm: String?

    @OptionGroup var store: StoreOption

    /// The keys, and whatever had to be left out on standard error.
    func load() throws -> TrustStore {
        guard let trust else {
            guard root == nil, rsaAlgorithm == nil else {
                throw Failure(.refusedInput, "--root and --rsa-algorithm belong to a --trust file")
            }
            throw Failure(.refusedInput, "it is not known whose keys to trust", advice: "Give them by --trust FILE.")
        }
        let bytes = try InputSource(file: trust).bytes(limit: TrustStore.maxBytes, what: "trust file")
        do throws(TrustError) {
            let keys = try TrustStore(bytes, root: root, rsaAlgorithm: algorithm())
            for warning in keys.warnings { Diagnosis.warn("\(trust): \(warning)") }
            return keys
        } catch {
            throw Failure(.refusedInput, "the trust file \(trust) cannot be used: \(error)", advice: advice(error))
        }
    }

    func validate() throws {
        if let rsaAlgorithm, !["PS256", "RS256"].contains(rsaAlgorithm) {
            throw ValidationError("--rsa-algorithm is PS256 or RS256")
        }
    }

    private func algorithm() -> KeyAlgorithm? { rsaAlgorithm.flatMap(KeyAlgorithm.init(rawValue:)) }

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
