import ArgumentParser
import CountersignClient
import CountersignKeys

/// A profile, for commands that speak to a service only.
struct ProfileOption: ParsableArguments {
    /// The option's words.
    static let help = ArgumentHelp(
        "Work on the service of this profile. Else $COUNTERSIGN_PROFILE, else the one of `profiles use`.",
        valueName: "name")
    static let passcodeHelp = ArgumentHelp(
        "Take the passcode of the profile's key from the first line of a file.", valueName: "file")
    static let names = CompletionKind.shellCommand("countersign profiles list --names 2>/dev/null")

    @Option(help: help, completion: names) var profile: String?

    @Option(help: passcodeHelp, completion: .file()) var passcodeFile: String?

    /// The account of the profile.
    func account() throws(Failure) -> Account {
        CryptoLibrary.prepare()
        let open = try OpenProfile(Self.chosen(profile), passcodeFile: passcodeFile)
        let (profile, passcode) = (open.profile, try open.passcode())
        return try Failure.explaining { () throws(ServiceError) in try Account(profile, passcode: passcode) }
    }

    /// The profile that is named, by the option, the environment or `profiles use`. A store in the environment does not
    /// count: it is none.
    static func chosen(_ profile: String?) throws(Failure) -> String {
        if let profile { return profile }
        if let profile = try Environment.variable("COUNTERSIGN_PROFILE") { return profile }
        if let profile = try ProfileChoice.read() { return profile }
        throw Failure(
            .refusedInput, "no profile is chosen",
            advice: "Give one by --profile NAME, or make one by `countersign enrol` or `countersign login`.")
    }
}
