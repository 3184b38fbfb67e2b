import ArgumentParser
import SigningService

/// `countersign status`.
struct Status: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the store at a glance.",
        discussion: """
            EXAMPLES
              countersign status
              countersign status --json
            """)

    @OptionGroup var store: StoreOption

    @Flag(help: "Print JSON.")
    var json = false

    func perform(on store: OpenStore, _ output: Output) throws -> ExitStatus {
        let status = try store.run { try await $0.status() }
        if json {
            try output.write(StatusText.json(status, path: store.path))
            try output.write("\n")
        } else {
            try output.write(StatusText.lines(status, path: store.path))
        }
        return .done
    }
}
