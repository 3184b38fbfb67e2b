import ArgumentParser
import Sessions
import Wire

/// `countersign clients`: the relying services.
struct Clients: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "Add, list, lock and unlock relying services.",
        discussion: """
            A relying service asks a Countersign service for signatures and sees what it asked for. Its name has 1 to 64 \
            of a-z 0-9 . _ - and begins with a letter or digit; it is the audience of those statements, and never used again.

            EXAMPLES
              countersign clients add shop --out shop.secret
              countersign clients add bank --key bank.pub
              countersign clients lock shop
            """,
        subcommands: [AddClient.self, ListClients.self, LockClient.self, UnlockClient.self])

    fileprivate static func name(_ text: String) throws(Failure) -> ClientName {
        guard let name = ClientName(text) else {
            throw Failure(
                .refusedInput, "'\(text)' is no name of a relying service",
                advice: "It has 1 to 64 of a-z 0-9 . _ - and begins with a letter or digit.")
        }
        return name
    }

    /// `countersign clients add`.
    struct AddClient: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a relying service, and print its secret.",
            discussion: """
                The secret is made for it, and printed or written this once: the store keeps its digest. With --key there \
                is none: the service proves itself by its own key (private_key_jwt, RFC 7523).

                EXAMPLES
                  countersign clients add shop --out shop.secret
                  countersign clients add bank --key bank.pub
                """)

        @OptionGroup var place: PlaceOptions
        @Argument(help: "Its name.") var name: String
        @Option(
            help: ArgumentHelp("Its public key: PEM or a JWK.", valueName: "file"), completion: .file())
        var key: String?
        @Option(
            help: ArgumentHelp("Write the secret to this new file, for its owner alone.", valueName: "file"),
            completion: .file())
        var out: String?

        func validate() throws {
            if key != nil && out != nil {
                throw ValidationError("--key and --out exclude each other: there is no secret")
            }
        }

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let name = try Clients.name(name)
            let key = try key.map { path throws(Failure) in try PublicKeyFile.read(path) }
            let advice = "Its secret is lost; lock it and add another one, under another name."
            // Before anything is done: the secret is not to be had twice.
            if let out, out != "-" { try AtomicFile.refuseExisting(out) }
            guard let secret = try service.run({ try await $0.addClient(name, key: key) }).secret else { return .done }
            guard let out, out != "-" else {
                try output.writeLast(secret + "\n", otherwise: advice)
                return .done
            }
            do throws(Failure) {
                try AtomicFile.write(Array("\(secret)\n".utf8).span, to: out, mode: 0o600, existing: .refuse)
            } catch {
                throw Failure(error.status, error.message, advice: advice)
            }
            return .done
        }
    }

    /// `countersign clients list`.
    struct ListClients: ServiceCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the relying services.")

        @OptionGroup var place: PlaceOptions
        @Flag(help: "Print JSON: one object a line.") var json = false

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let clients = try service.run { try await $0.clients() }
            if json {
                for client in clients { try output.writeLine(client) }
                return .done
            }
            try output.write(
                Table.text(
                    clients.map { client in
                        [
                            TerminalText.line(client.client), client.isLocked ? "locked" : "active",
                            TerminalText.line(client.thumbprint.map { "key \($0)" } ?? client.credential),
                            "added \(Timestamp.text(milliseconds: client.createdAt))",
                        ]
                    }))
            return .done
        }
    }

    /// `countersign clients lock`.
    struct LockClient: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "lock", abstract: "Lock a relying service: its sessions end, and it gets no others.")

        @OptionGroup var place: PlaceOptions
        @Argument(help: "Its name.") var name: String

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let name = try Clients.name(name)
            try service.run { try await $0.lockClient(name) }
            return .done
        }
    }

    /// `countersign clients unlock`.
    struct UnlockClient: ServiceCommand {
        static let configuration = CommandConfiguration(commandName: "unlock", abstract: "Unlock a relying service.")

        @OptionGroup var place: PlaceOptions
        @Argument(help: "Its name.") var name: String

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let name = try Clients.name(name)
            try service.run { try await $0.unlockClient(name) }
            return .done
        }
    }
}
