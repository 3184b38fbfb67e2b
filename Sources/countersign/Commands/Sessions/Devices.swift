import ArgumentParser
import Wire

/// `countersign devices`: the keys that stand for a user.
struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List devices.",
        discussion: """
            EXAMPLES
              countersign devices list
              countersign devices list --user alice
            """,
        subcommands: [List.self])

    /// `countersign devices list`.
    struct List: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List enrolled devices: one's own, or for the operator those of a user.")

        @OptionGroup var place: PlaceOptions
        @Option(name: .shortAndLong, help: ArgumentHelp("Those of this user.", valueName: "name")) var user: String?
        @Flag(help: "Print JSON: one object a line. Times are milliseconds since 1970.") var json = false

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let name = try user.map { text throws(Failure) in try OpenService.userName(text) }
            let devices = try service.run { try await $0.devices(of: name) }
            if json {
                for device in devices { try output.writeLine(device) }
                return .done
            }
            try output.write(
                Table.text(
                    devices.map { device in
                        [
                            TerminalText.line(device.id), TerminalText.line(device.name),
                            TerminalText.line(device.state),
                            "enrolled \(Timestamp.text(milliseconds: device.createdAt))",
                            device.lastAccessAt.map { "used \(Timestamp.text(milliseconds: $0))" } ?? "never used",
                        ]
                    }))
            return .done
        }
    }
}
