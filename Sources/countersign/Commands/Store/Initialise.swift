import ArgumentParser
import CountersignKeys
import SigningService
import StorageSQLite

/// `countersign init`: a new store with a signing key and a root key.
struct Initialise: Command {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a store: a signing key, a root key, nobody who signs yet.",
        discussion: """
            The store is a directory that only its owner may enter. Whoever owns its files can sign as anyone in it. The \
            root key signs key histories; --root-out takes its private half out of the store, to be kept offline. \
            Verifiers pin the root key's thumbprint, which is printed.

            EXAMPLES
              countersign init
              countersign init --store /srv/countersign --issuer https://sign.example.com
              countersign init --algorithm EdDSA --root-out root.pem --password-file root.pass
            """)

    @OptionGroup var store: StoreOption

    @Option(help: ArgumentHelp("Who issues the statements: a URI or name. Else the store's own urn:uuid:.", valueName: "issuer"))
    var issuer: String?

    @Option(help: AlgorithmName.help("The signing key's algorithm"))
    var algorithm = AlgorithmName.es256

    @Option(help: AlgorithmName.help("The root key's algorithm"))
    var rootAlgorithm = AlgorithmName.es256

    @Option(
        help: ArgumentHelp(
            "Write the root key, encrypted under the password, to a file and keep no copy.", valueName: "file"))
    var rootOut: String?

    @OptionGroup var password: PasswordOptions

    func validate() throws {
        if rootOut == nil && (password.passwordFile != nil || password.passwordStdin) {
            throw ValidationError("the password is for --root-out; users get theirs by `countersign users add`")
        }
    }

    func perform(_ output: Output) throws -> ExitStatus {
        CryptoLibrary.prepare()
        let path = try store.path()
        let passphrase = rootOut == nil ? nil : try password.newPassword("Password for the root key")
        let setUp = StoreSetUp(issuer: issuer, algorithm: algorithm.value, rootAlgorithm: rootAlgorithm.value)
        let rootOut = rootOut
        let made: (facts: [(String, String)], root: SecretBytes?)
        do {
            made = try waitFor {
                let root = Guarded<SecretBytes?>(nil)
                let facts = Guarded<[(String, String)]>([])
                try await StoreDirectory.create(at: path) { directory, masterKey in
                    try await SQLiteDatabase.create(at: directory.databasePath, time: WallClock.milliseconds)
                    let engine = try await OpenStore.engine(over: directory, masterKey: AEADKey(masterKey))
                    try await engine.setUp(setUp)
                    let lines = try await Self.facts(of: engine, path)
                    facts.change { $0 = lines }
                    if let rootOut, let passphrase {
                        try await Self.takeOut(of: engine, to: rootOut, passphrase)
                    }
                    await engine.close()
                }
                return (facts.with { $0 }, root.with { $0 })
            }
        } catch {
            throw Failure(explaining: error)
        }
        try output.write(FactSheet.lines(made.facts))
        return .done
    }
}
