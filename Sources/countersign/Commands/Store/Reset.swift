import ArgumentParser
import CountersignVerifier

/// `countersign reset`: ends open signings.
struct Reset: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "End open signings: all, those of a user, or one.",
        discussion: """
            Harmless at any time, and twice: exit 0 also if nothing was open. A late answer to what was reset signs \
            nothing. Attempts that were used stay used; `countersign users unlock` gives them back.

            EXAMPLES
              countersign reset
              countersign reset --user alice
              countersign reset 5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70
            """)

    @OptionGroup var place: PlaceOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("Those of this user.", valueName: "name"))
    var user: String?

    @Argument(help: "The id of a ceremony.")
    var ceremony: String?

    func validate() throws {
        if user != nil && ceremony != nil { throw ValidationError("--user and a ceremony exclude each other") }
    }

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let count: Int?
        if let ceremony {
            guard let id = UUIDText(ceremony) else {
                throw Failure(.refusedInput, "\(ceremony) is not the id of a ceremony: a lower-case UUID, version 4")
            }
            count = try service.run { try await $0.reset(ceremony: id) } ? 1 : 0
        } else {
            let name = try user.map { text throws(Failure) in try OpenService.userName(text) }
            count = try service.run { try await $0.resetAll(of: name) }
        }
        if let count, count > 0 { Diagnosis.say("\(Figures.counted(count, "open signing")) reset") }
        return .done
    }
}
