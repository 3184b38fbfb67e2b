import ArgumentParser
import Wire

/// `countersign users code`.
struct MakeActivationCode: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "code", abstract: "Make a code with which a user enrols one device, and print it.",
        discussion: """
            Give it to the user over a way that only they read: with it, and a password, whoever has it becomes that user \
            on one device. A user without a password sets it when they enrol; one with a password must know it. The code \
            is good once, for a day (the setting activation-hours), and until the next one is made.

            EXAMPLES
              countersign users code alice
              countersign users code alice --json
            """)

    @OptionGroup var place: PlaceOptions
    @Argument(help: "The user's name.") var name: String
    @Flag(help: "Print JSON, with the time when it ends.") var json = false

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let name = try OpenService.userName(name)
        let made = try service.run { try await $0.makeActivationCode(for: name) }
        let advice = "Make another one; the lost one ends with it."
        if json {
            try output.writeLast(String(decoding: made.json, as: UTF8.self) + "\n", otherwise: advice)
        } else {
            try output.writeLast(made.code + "\n", otherwise: advice)
            Diagnosis.say("good for one device of \(made.user), until \(Timestamp.text(milliseconds: made.expiresAt))")
        }
        return .done
    }
}
