import ArgumentParser
import CountersignKeys
import SigningService

/// `countersign keys import`.
struct ImportKey: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take over a key that was made elsewhere, and print its id.",
        discussion: """
            The file is PKCS#8 in PEM; its password is asked for if it has one. The key does not sign until \
            `countersign keys rotate --to`.

            EXAMPLES
              countersign keys import key.pem
              countersign keys import rsa.pem --algorithm PS256 --password-file key.pass
            """)

    @OptionGroup var store: StoreOption
    @Argument(help: "The file.", completion: .file()) var file: String
    @Option(help: "What an RSA key is for: PS256 or RS256.", completion: .list(["PS256", "RS256"]))
    var algorithm: KeyAlgorithm?
    @OptionGroup var password: PasswordOptions

    func perform(on store: OpenStore, _ output: Output) throws -> ExitStatus {
        let key = try PrivateKeyFile.read(file, algorithm: algorithm, password)
        try output.writeKeyID(try store.run { try await $0.importKey(key).id })
        return .done
    }
}
