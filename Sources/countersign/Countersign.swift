import ArgumentParser

/// `countersign`, the root of the command line.
struct Countersign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "countersign",
        abstract: "Ask a person, get a signature that anyone can verify.",
        version: "0.1.0",
        subcommands: [Verify.self, Inspect.self]
    )
    static let _errorPrefix = "countersign: "
}
