import ArgumentParser
import CountersignKeys
import SigningService

/// `countersign keys export`.
struct ExportKey: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print a key: its private half encrypted, or with --public its public half.",
        discussion: """
            The private half is PKCS#8 in PEM, encrypted under a password that is asked for (PBES2, PBKDF2-HMAC-SHA256, \
            AES-256-CBC), as OpenSSL reads it. The export is recorded. A file is made with mode 0600 and never \
            overwritten. Retired and revoked keys have no private half any more.

            EXAMPLES
              countersign keys export KID --out key.pem
              countersign keys export KID --password-file export.pass > key.pem
              countersign keys export KID --public
            """)

    @OptionGroup var store: StoreOption
    @Argument(help: "The key's id.") var kid: String
    @Option(
        help: ArgumentHelp("Write to this file, which must not be there yet; - is standard output.", valueName: "file"),
        completion: .file())
    var out: String?
    @Flag(name: .customLong("public"), help: "The public half: SubjectPublicKeyInfo in PEM.") var isPublic = false
    @OptionGroup var password: PasswordOptions

    func perform(on store: OpenStore, _ output: Output) throws -> ExitStatus {
        let kid = kid
        guard let key = try store.run({ try await $0.keys() }).first(where: { $0.id.utf8.elementsEqual(kid.utf8) })
        else {
            throw Failure(.refusedInput, "there is no key \(kid)", advice: "See `countersign keys list`.")
        }
        if isPublic {
            try write(Array(key.key.pem.utf8).span, mode: 0o644, output)
            return .done
        }
        guard key.hasPrivateHalf else {
            throw Failure(.refusedInput, "the private half of \(kid) is not in the store any more")
        }
        let passphrase = try password.newPassword("Password for the exported key")
        let pem = try store.run { try await $0.privateKey(kid).encryptedPEM(passphrase: passphrase) }
        if let out, out != "-" {
            try PrivateKeyFile.write(pem, to: out)
        } else {
            try pem.withBytes { bytes throws(Failure) in try Output.send(bytes) }
        }
        return .done
    }

    private func write(_ bytes: Span<UInt8>, mode: UInt32, _ output: Output) throws(Failure) {
        if let out, out != "-" { try AtomicFile.write(bytes, to: out, mode: mode) } else { try Output.send(bytes) }
    }
}
