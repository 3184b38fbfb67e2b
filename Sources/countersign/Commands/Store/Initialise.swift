import ArgumentParser
import CountersignKeys
import ServiceMessages
import SigningService
import StorageSQLite
import Wire

/// `countersign init`: a new store with a signing key and a root key.
struct Initialise: Command {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a store, with a signing key and a root key.",
        discussion: """
            The store is a directory that only its owner may enter. Whoever owns its files can sign as anyone in it: it \
            guards against mistakes, not against its owner. Nobody can sign until `countersign users add`.

            The root key signs key histories, and verifiers pin its thumbprint, which is printed. --root-out takes its \
            private half out of the store, encrypted under a password, to be kept offline.

            EXAMPLES
              countersign init
              countersign init --store /srv/countersign --issuer https://sign.example.com
              countersign init --root-out root.pem --password-file root.pass
            """)

    @OptionGroup var store: StoreOption

    @Option(
        help: ArgumentHelp(
            "Who issues the statements, a URI or name. Else the store's own urn:uuid:.", valueName: "issuer"))
    var issuer: String?

    @Option(help: "The algorithm of the signing key.")
    var algorithm = KeyAlgorithm.es256

    @Option(help: "The algorithm of the root key.")
    var rootAlgorithm = KeyAlgorithm.es256

    @Option(
        help: ArgumentHelp(
            "Write the root key to a new file, encrypted under the password, and keep no copy.", valueName: "file"),
        completion: .file())
    var rootOut: String?

    @OptionGroup var password: PasswordOptions

    func validate() throws {
        if rootOut == "-" { throw ValidationError("--root-out takes the name of a file, not '-'") }
        if rootOut == nil && (password.passwordFile != nil || password.passwordStdin) {
            throw ValidationError("the password is for --root-out; users get theirs by `countersign users add`")
        }
    }

    func perform(_ output: Output) throws -> ExitStatus {
        CryptoLibrary.prepare()
        let path = try store.newPath()
        let passphrase = rootOut == nil ? nil : try password.newPassword("Password for the root key")
        let setUp = StoreSetUp(issuer: issuer, algorithm: algorithm, rootAlgorithm: rootAlgorithm)
        let rootOut = rootOut
        do {
            try waitFor {
                try await StoreDirectory.create(at: path) { directory in
                    try await SQLiteDatabase.create(at: directory.databasePath, time: WallClock.milliseconds)
                    let engine = try await OpenStore.engine(over: directory)
                    try await engine.setUp(setUp)
                    if let rootOut, let passphrase { try await Self.takeRoot(of: engine, to: rootOut, passphrase) }
                    await engine.close()
                }
            }
        } catch {
            throw Failure(explaining: error)
        }
        let store = try OpenStore(at: path)
        defer { store.close() }
        try output.writeLast(
            StatusText.lines(StatusMessage(try store.run { try await $0.status() }), at: .store(path)),
            otherwise: "The store was made: see `countersign status`.")
        return .done
    }

    /// The private half of the root key goes to a file before the store forgets it.
    private static func takeRoot(of engine: SigningEngine, to path: String, _ passphrase: SecretBytes) async throws {
        guard let root = try await engine.status().rootKey else { return }
        let pem = try await engine.privateKey(root).encryptedPEM(passphrase: passphrase)
        try PrivateKeyFile.write(pem, to: path)
        try await engine.forgetRootKey()
    }
}
