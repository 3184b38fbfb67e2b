import ArgumentParser
import CountersignClient
import CountersignKeys
import CountersignVerifier
import SigningService

/// Whose keys are believed.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The trusted keys: a JWKS, a key history or PEM. Without it, the keys of the store.", valueName: "file"),
        completion: .file())
    var trust: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The thumbprint of the root key: needed with a key history.", valueName: "thumbprint"))
    var root: String?

    @Option(
        help: ArgumentHelp(
            "What RSA keys in a PEM file are for, since PEM cannot say it: PS256 or RS256.", valueName: "algorithm"),
        completion: .list(["PS256", "RS256"]))
    var rsaAlgorithm: String?

    @Option(help: StoreOption.help, completion: .directory) var store: String?

    @Flag(help: "Ask the service of the profile for its keys, over the network.") var trustServer = false

    @Option(help: ProfileOption.help, completion: ProfileOption.names) var profile: String?

    /// The keys, and whatever had to be left out on standard error.
    func load() throws -> TrustStore {
        if trustServer { return try keysOfService() }
        if let file { return try file.load() }
        guard root == nil, rsaAlgorithm == nil else {
            throw Failure(.refusedInput, "--root and --rsa-algorithm belong to a --trust file")
        }
        return try keysOfStore()
    }

    /// The file of `--trust`; nil without one.
    var file: TrustFile? { trust.map { TrustFile(path: $0, root: root, rsaAlgorithm: algorithm()) } }

    /// The keys of the store that is there; its owner trusts it anyway.
    private func keysOfStore() throws(Failure) -> TrustStore {
        let path: String
        switch try Place.chosen(store: store, profile: profile) {
        case .store(let chosen): path = chosen
        case .profile(let name):
            throw Failure(
                .refusedInput, "it is not known whose keys to trust: no --trust, and a profile is chosen, '\(name)'",
                advice: "Give the keys by --trust FILE, or ask the service for them by --trust-server.")
        }
        do throws(Failure) {
            let store = try OpenStore(at: path)
            defer { store.close() }
            return try store.run { try await $0.trust() }
        } catch {
            guard error.status == .refusedInput else { throw error }
            throw Failure(
                .refusedInput, "it is not known whose keys to trust: no --trust, and \(error.message)",
                advice: "Give the keys by --trust FILE: a JWKS, a key history or PEM.")
        }
    }

    /// The keys as the service gives them now. Whoever can answer for it on the network is believed.
    private func keysOfService() throws(Failure) -> TrustStore {
        guard case .profile(let name) = try Place.chosen(store: store, profile: profile) else {
            throw Failure(
                .refusedInput, "--trust-server asks the service of a profile, and none is chosen",
                advice: "Choose one by --profile NAME.")
        }
        let profile = try OpenProfile(name, passcodeFile: nil).profile
        do {
            return try waitFor { try await PublishedKeys(profile).trust() }
        } catch {
            throw Failure(explaining: error)
        }
    }

    func validate() throws {
        if trustServer && (trust != nil || root != nil || rsaAlgorithm != nil || store != nil) {
            throw ValidationError("--trust-server excludes --trust, --root, --rsa-algorithm and --store")
        }
        if let rsaAlgorithm, !["PS256", "RS256"].contains(rsaAlgorithm) {
            throw ValidationError("--rsa-algorithm is PS256 or RS256")
        }
    }

    private func algorithm() -> KeyAlgorithm? { rsaAlgorithm.flatMap(KeyAlgorithm.init(rawValue:)) }
}
