import ArgumentParser

/// `countersign`, the root of the command line.
struct Countersign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "countersign",
        abstract: "Ask a person, get a signature that anyone can verify.",
        discussion: """
            EXAMPLES
              countersign init
              countersign users add alice
              countersign sign --user alice --reason 'Invoice 17' 'Pay 5.00 EUR' > bill.jws
              countersign trust export > keys.json
              countersign verify --trust keys.json bill.jws

            EXIT CODES
            \(ExitStatus.allCases.map { "  \($0.rawValue)  \($0.summary)" }.joined(separator: "\n"))

            Standard output carries the result and nothing else.
            """,
        version: "0.1.0",
        groupedSubcommands: [
            CommandGroup(
                name: "Sign and verify", subcommands: [Sign.self, Verify.self, MakeBundle.self, Inspect.self]),
            CommandGroup(
                name: "Ask and answer", subcommands: [Ask.self, Requests.self, Inbox.self, Notify.self]),
            CommandGroup(
                name: "Use a service",
                subcommands: [
                    Enrol.self, Activate.self, LogInCommand.self, LogOutCommand.self, Profiles.self,
                    SessionCommands.self, DeviceCommands.self, ProofCommand.self,
                ]),
            CommandGroup(name: "Look", subcommands: [History.self, Audit.self, Deliveries.self, Status.self]),
            CommandGroup(
                name: "Run a store or a service",
                subcommands: [
                    Initialise.self, Users.self, Groups.self, Clients.self, Keys.self, Trust.self, Config.self,
                    Reset.self, Backup.self, Restore.self, Bench.self,
                ]),
        ])
    static let _errorPrefix = "countersign: "
}
