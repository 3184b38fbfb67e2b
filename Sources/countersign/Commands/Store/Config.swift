import ArgumentParser
import CountersignJOSE
import SigningService
import Wire

/// `countersign config`: the settings of the store.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Read and write the store's settings.",
        discussion: """
            SETTINGS
            \(SettingName.allCases.map { "  \($0.rawValue): \($0.help)" }.joined(separator: "\n"))

            EXAMPLES
              countersign config list
              countersign config get block-minutes
              countersign config set block-minutes 5,10,15
            """,
        subcommands: [Get.self, Set.self, List.self])

    struct Get: ServiceCommand {
        static let configuration = CommandConfiguration(commandName: "get", abstract: "Print the value of a setting.")

        @OptionGroup var place: PlaceOptions
        @Argument(help: "The setting's name.", completion: Config.names) var name: String

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let name = try Config.setting(name)
            let settings = try service.run { try await $0.settings() }
            guard let setting = settings.first(where: { $0.name.hasSameUTF8(as: name.rawValue) }) else {
                throw Failure(.refusedInput, "this service has no setting \(name.rawValue)")
            }
            try output.writeLine(TerminalText.line(setting.value))
            return .done
        }
    }

    struct Set: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change a setting. It counts from the next command on.")

        @OptionGroup var place: PlaceOptions
        @Argument(help: "The setting's name.", completion: Config.names) var name: String
        @Argument(help: "Its new value.") var value: String

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let (name, value) = (try Config.setting(name), value)
            guard try service.run({ try await $0.set(name, to: value) }) else {
                throw Failure(
                    .refusedInput, "\(value) is no value of \(name.rawValue)", advice: "It takes \(name.help).")
            }
            return .done
        }
    }

    struct List: ServiceCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "Print all settings.")

        @OptionGroup var place: PlaceOptions

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let settings = try service.run { try await $0.settings() }
            try output.write(Table.text(settings.map { [$0.name, $0.value, $0.help].map(TerminalText.line) }))
            return .done
        }
    }

    fileprivate static let names = CompletionKind.list(SettingName.allCases.map(\.rawValue))

    private static func setting(_ name: String) throws(Failure) -> SettingName {
        guard let setting = SettingName(rawValue: name) else {
            let known = SettingName.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.refusedInput, "there is no setting \(name)", advice: "The settings are \(known).")
        }
        return setting
    }
}
