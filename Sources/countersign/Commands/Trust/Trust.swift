import ArgumentParser
import CountersignJOSE
import CountersignKeys

/// `countersign trust`: what verifiers need.
struct Trust: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Export what verifiers need: the public keys.",
        discussion: """
            EXAMPLES
              countersign trust export > keys.json
              countersign trust export --history --out history.jws
            """,
        subcommands: [ExportTrust.self])
}

/// `countersign trust export`.
struct ExportTrust: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print the public keys: as JWKS, key history or PEM.",
        discussion: """
            A JWKS (the default) and PEM say which keys to trust, since for ever. A key history says also from when to \
            when and which were revoked; it is signed by the root key, expires, and is trusted only by those who pin the \
            root key's thumbprint, which --root prints.

            EXAMPLES
              countersign trust export > keys.json
              countersign trust export --history --out history.jws
              countersign trust export --history --root-key root.pem > history.jws
              countersign trust export --root
            """)

    @OptionGroup var place: PlaceOptions

    @Flag(help: "A JWK set (RFC 7517).") var jwks = false
    @Flag(help: "A key history, signed by the root key.") var history = false
    @Flag(help: "SubjectPublicKeyInfo in PEM. Compromised keys are left out.") var pem = false
    @Flag(help: "The root key's thumbprint, for verifiers to pin.") var root = false

    @Option(help: ArgumentHelp("Write to this file; - is standard output.", valueName: "file"), completion: .file())
    var out: String?

    @Option(
        help: ArgumentHelp("The file of a root key that is not in the store, to sign the history.", valueName: "file"),
        completion: .file())
    var rootKey: String?

    @OptionGroup var password: PasswordOptions

    func validate() throws {
        if [jwks, history, pem, root].count(where: { $0 }) > 1 {
            throw ValidationError("--jwks, --history, --pem and --root exclude each other")
        }
        if rootKey != nil && !history { throw ValidationError("--root-key signs a --history") }
    }

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let bytes = try content(of: service)
        if let out, out != "-" {
            try AtomicFile.write(bytes.span, to: out, mode: 0o644)
        } else {
            try output.write(bytes)
        }
        return .done
    }

    private func content(of service: OpenService) throws -> [UInt8] {
        let newline = [UInt8(ascii: "\n")]
        if history {
            let key = try givenRootKey(of: service)
            return try service.run { try await $0.keyHistory(signedBy: key) } + newline
        }
        if root {
            return try Array(knownRootKey(of: service).id.utf8) + newline
        }
        if pem {
            return try service.run { try await $0.trustedKeys() }.flatMap { Array($0.pem.utf8) }
        }
        return try service.run { try await $0.keySet() } + newline
    }

    /// The root key of `--root-key`; nil where the store has its own.
    private func givenRootKey(of service: OpenService) throws(Failure) -> PrivateKey? {
        let root = try knownRootKey(of: service)
        guard let rootKey else {
            guard root.signs else {
                throw Failure(
                    .refusedInput, "the root key's private half is kept elsewhere",
                    advice: "Give it by --root-key FILE.")
            }
            return nil
        }
        let key = try PrivateKeyFile.read(rootKey, algorithm: root.algorithm, password)
        guard Thumbprint.sha256(of: key.publicKey).hasSameUTF8(as: root.id) else {
            throw Failure(
                .refusedInput, "the key in \(rootKey) is not the root key of this store",
                advice: "The root key is \(root.id).")
        }
        return key
    }

    private func knownRootKey(of service: OpenService) throws(Failure) -> RootKey {
        guard let root = try service.run({ try await $0.rootKey() }) else {
            throw Failure(.refusedInput, "the store has no root key")
        }
        return root
    }
}
