import ArgumentParser

/// Where a command works that is the same everywhere.
struct PlaceOptions: ParsableArguments {
    @Option(help: StoreOption.help, completion: .directory) var store: String?

    @Option(help: ProfileOption.help, completion: ProfileOption.names) var profile: String?

    @Option(help: ProfileOption.passcodeHelp, completion: .file()) var passcodeFile: String?

    /// The place that these options, the environment and the defaults lead to.
    func place() throws(Failure) -> Place {
        let place = try Place.chosen(store: store, profile: profile)
        if case .store = place, passcodeFile != nil {
            throw Failure(.refusedInput, "--passcode-file is for the key of a profile, and none is chosen")
        }
        return place
    }
}
