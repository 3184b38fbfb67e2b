import ArgumentParser
import CountersignClient
import CountersignJOSE

/// `countersign profiles`: the services that are known here, and as whom.
struct Profiles: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "List, choose, show and remove profiles: services, and as whom to use them.",
        discussion: """
            A profile is a directory for its owner alone, in $XDG_CONFIG_HOME/countersign/profiles (~/.config): the key of \
            this device, its session, and which service they are for. The chosen one is used by every command that \
            names neither a profile nor a store.

            EXAMPLES
              countersign profiles list
              countersign profiles use work
              countersign profiles use --none
            """,
        subcommands: [List.self, Use.self, Show.self, Remove.self])

    /// `countersign profiles list`.
    struct List: Command {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the profiles.")

        @Flag(help: "Print JSON: one object a line.") var json = false
        @Flag(help: "Print the names alone.") var names = false

        func validate() throws {
            if json && names { throw ValidationError("--json and --names exclude each other") }
        }

        func perform(_ output: Output) throws -> ExitStatus {
            let profiles = try ProfileChoice.profiles()
            let names = try Failure.explaining { () throws(ServiceError) in try profiles.names() }
            let chosen = try ProfileChoice.read()
            var rows: [[String]] = []
            for name in names {
                if self.names {
                    try output.writeLine(name)
                    continue
                }
                let profile: Profile
                do throws(ServiceError) { profile = try profiles.profile(name) } catch {
                    Diagnosis.warn(error.description)
                    continue
                }
                if json {
                    try output.write(ProfileText.json(profile, isChosen: name == chosen))
                } else {
                    rows.append([
                        name, TerminalText.line(ProfileText.owner(profile)),
                        profile.server + (name == chosen ? "  (chosen)" : ""),
                    ])
                }
            }
            try output.write(Table.text(rows))
            return .done
        }
    }

    /// `countersign profiles use`.
    struct Use: Command {
        static let configuration = CommandConfiguration(
            commandName: "use", abstract: "Choose the profile of all commands that name none.")

        @Argument(help: "Its name.", completion: ProfileOption.names) var name: String?
        @Flag(help: "Choose none: the store in the user's data directory again.") var none = false

        func validate() throws {
            if (name != nil) == none { throw ValidationError("give the name of a profile, or --none") }
        }

        func perform(_ output: Output) throws -> ExitStatus {
            if let name { _ = try OpenProfile(name, passcodeFile: nil) }
            try ProfileChoice.write(name)
            return .done
        }
    }

    /// `countersign profiles show`.
    struct Show: Command {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a profile: the chosen one, unless another is named.")

        @Argument(help: "Its name.", completion: ProfileOption.names) var name: String?
        @Flag(help: "Print JSON.") var json = false

        func perform(_ output: Output) throws -> ExitStatus {
            let profile = try OpenProfile(ProfileOption.chosen(name), passcodeFile: nil).profile
            let isChosen = try ProfileChoice.read() == profile.name
            if json {
                try output.write(ProfileText.json(profile, isChosen: isChosen))
            } else {
                try output.write(try ProfileText.lines(profile, isChosen: isChosen))
            }
            return .done
        }
    }

    /// `countersign profiles remove`.
    struct Remove: Command {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a profile, its key included.",
            discussion: """
                The device can never log in again. Its session is left as it is: end it first by `countersign logout`.
                """)

        @Argument(help: "Its name.", completion: ProfileOption.names) var name: String

        func perform(_ output: Output) throws -> ExitStatus {
            let profiles = try ProfileChoice.profiles()
            let name = name
            try Failure.explaining { () throws(ServiceError) in try profiles.remove(name) }
            if try ProfileChoice.read() == name { try ProfileChoice.write(nil) }
            return .done
        }
    }
}

/// A profile as it is printed.
enum ProfileText {
    /// As whom it is used.
    static func owner(_ profile: Profile) -> String {
        if profile.isOperator { return "operator" }
        return profile.user ?? profile.client.map { "relying service \($0)" } ?? "nobody yet"
    }

    static func lines(_ profile: Profile, isChosen: Bool) throws(Failure) -> String {
        let isEncrypted = try Failure.explaining { () throws(ServiceError) in try profile.isEncrypted }
        var facts: [(String, String)] = [
            ("profile", profile.name + (isChosen ? " (chosen)" : "")), ("service", TerminalText.line(profile.server)),
            ("as", TerminalText.line(owner(profile))),
        ]
        if let device = profile.device { facts.append(("device", TerminalText.line(device))) }
        facts.append(("key", isEncrypted ? "encrypted under a passcode" : "not encrypted"))
        return FactSheet.lines(facts)
    }

    static func json(_ profile: Profile, isChosen: Bool) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(name: "profile", string: profile.name)
        writer.member(name: "service", string: profile.server)
        writer.name("operator")
        writer.bool(profile.isOperator)
        if let user = profile.user { writer.member(name: "user", string: user) }
        if let client = profile.client { writer.member(name: "client", string: client) }
        if let device = profile.device { writer.member(name: "device", string: device) }
        writer.name("chosen")
        writer.bool(isChosen)
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
