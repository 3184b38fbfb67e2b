import ArgumentParser
import CountersignKeys
import CountersignVerifier
import Wire

/// `countersign keys`: the store's signing keys.
struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List, make, rotate, retire, revoke, export and import signing keys.",
        discussion: """
            A key is published, then active, then retired; it may be revoked, as superseded (what it signed before \
            holds) or compromised (nothing that it signed proves when). One key is active. Public keys are never \
            dropped, so old statements stay verifiable.

            EXAMPLES
              countersign keys list
              countersign keys rotate
              countersign keys revoke KID --reason compromised
            """,
        subcommands: [
            ListKeys.self, CreateKey.self, RotateKeys.self, RetireKey.self, RevokeKey.self, ExportKey.self,
            ImportKey.self,
        ])
}

/// `countersign keys create`.
struct CreateKey: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a key that does not sign yet, and print its id.",
        discussion: """
            Verifiers can learn of it (`countersign trust export`) before `countersign keys rotate --to` lets it sign.

            EXAMPLES
              countersign keys create
              countersign keys create --algorithm EdDSA
            """)

    @OptionGroup var place: PlaceOptions
    @Option(help: "The key's algorithm.") var algorithm = KeyAlgorithm.es256

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let algorithm = algorithm
        try output.writeKeyID(try service.run { try await $0.createKey(algorithm) })
        return .done
    }
}

/// `countersign keys rotate`.
struct RotateKeys: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Let another key sign from now on, and print its id.",
        discussion: """
            The key that signed until now is retired: what it signed stays valid, and its private half is erased.

            EXAMPLES
              countersign keys rotate
              countersign keys rotate --algorithm ES384
              countersign keys rotate --to KID
            """)

    @OptionGroup var place: PlaceOptions

    @Option(
        parsing: .unconditional, help: ArgumentHelp("A published key. Else a new one is made.", valueName: "kid"))
    var to: String?

    @Option(help: "The algorithm of the new key.")
    var algorithm: KeyAlgorithm?

    func validate() throws {
        if to != nil && algorithm != nil { throw ValidationError("--to and --algorithm exclude each other") }
    }

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let (to, algorithm) = (to, algorithm)
        try output.writeKeyID(try service.run { try await $0.rotateKeys(to: to, algorithm: algorithm) })
        return .done
    }
}

/// `countersign keys retire`.
struct RetireKey: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire", abstract: "End a key's time: it never signs again; what it signed holds.",
        discussion: """
            EXAMPLES
              countersign keys retire KID
            """)

    @OptionGroup var place: PlaceOptions
    @Argument(help: "The key's id.") var kid: String

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let kid = kid
        try service.run { try await $0.retireKey(kid) }
        service.warnWithoutActiveKey()
        return .done
    }
}

/// `countersign keys revoke`.
struct RevokeKey: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a key: as superseded or as compromised.",
        discussion: """
            Superseded: what it signed before holds. Compromised: nothing that it signed proves when, so verifiers \
            answer indeterminate. Give verifiers the new trust file (`countersign trust export`).

            EXAMPLES
              countersign keys revoke KID --reason superseded
              countersign keys revoke KID --reason compromised
            """)

    @OptionGroup var place: PlaceOptions
    @Argument(help: "The key's id.") var kid: String
    @Option(help: "Why.") var reason: TrustedKey.Revocation.Reason

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let (kid, reason) = (kid, reason)
        try service.run { try await $0.revokeKey(kid, as: reason) }
        service.warnWithoutActiveKey()
        return .done
    }
}

extension Output {
    /// Prints the id of a key that was made, taken over or activated.
    func writeKeyID(_ id: String) throws(Failure) {
        try writeLast(id + "\n", otherwise: "It was done, do not repeat it: see `countersign keys list`.")
    }
}

extension OpenService {
    /// Says so where no key is left that signs. What was done is done, so a store that cannot be read now is no failure.
    fileprivate func warnWithoutActiveKey() {
        guard let status = try? run({ try await $0.status() }), status.signingKey == nil else { return }
        Diagnosis.warn("no key is active, so nobody can sign; make one with `countersign keys rotate`")
    }
}
