import ArgumentParser

/// `countersign status`.
struct Status: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the store at a glance.",
        discussion: """
            EXAMPLES
              countersign status
              countersign status --json
            """)

    @OptionGroup var place: PlaceOptions

    @Flag(help: "Print JSON.")
    var json = false

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let status = try service.run { try await $0.status() }
        if json {
            try output.write(StatusText.json(status, at: service.location))
            try output.write("\n")
        } else {
            try output.write(StatusText.lines(status, at: service.location))
        }
        return .done
    }
}
