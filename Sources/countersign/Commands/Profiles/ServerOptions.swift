import ArgumentParser
import CountersignClient

/// Which service, and how its certificate is checked.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The service: https://host or https://host:port; on this machine also http.", valueName: "url"))
    var server: String?

    @Option(
        help: ArgumentHelp(
            "Trust these certificates (PEM) for the service, instead of the system's. Kept in the profile.",
            valueName: "file"),
        completion: .file())
    var ca: String?

    /// How the service is asked.
    func options() throws(Failure) -> ServiceOptions {
        var options = ServiceOptions()
        guard let ca else { return options }
        guard let path = AbsolutePath.of(ca) else {
            throw Failure(.refusedInput, "cannot read \(ca.isEmpty ? "''" : ca): \(SystemError.last.text)")
        }
        options.certificateAuthorities = path
        return options
    }
}

/// What protects the key of a new profile.
struct NewPasscodeOptions: ParsableArguments {
    @Flag(help: "Encrypt the key of a new profile under a passcode, which is asked for now and at each use.")
    var passcode = false

    @Option(
        help: ArgumentHelp(
            "The passcode of the profile's key: the first line of a file. A new profile's key is encrypted under it.",
            valueName: "file"),
        completion: .file())
    var passcodeFile: String?

    /// The passcode for a key that is to be made; nil: none.
    func newPasscode() throws(Failure) -> Secret? {
        if let passcodeFile { return Secret(try PasswordSource.firstLine(of: passcodeFile, "passcode")) }
        guard passcode else { return nil }
        return Secret(try PasswordOptions.askTwice("Passcode for the key of this device"))
    }
}
