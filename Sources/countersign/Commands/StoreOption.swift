import ArgumentParser

/// Which store a command works on that needs its files.
struct StoreOption: ParsableArguments {
    /// The option's words.
    static let help = ArgumentHelp(
        "The store. Else $COUNTERSIGN_STORE, else countersign in $XDG_DATA_HOME (~/.local/share).",
        valueName: "directory")

    @Option(help: help, completion: .directory) var store: String?

    // Only to be told apart from an option that nobody knows.
    @Option(help: .hidden) var profile: String?

    /// The directory's name.
    func path() throws(Failure) -> String {
        switch try Place.chosen(store: store, profile: profile) {
        case .store(let path): return path
        case .profile(let name): throw Self.needsStore(name)
        }
    }

    /// The directory's name of a store that is to be made.
    func newPath() throws(Failure) -> String {
        let path = try path()
        try StoreLocation.prepare(path)
        return path
    }

    private static func needsStore(_ profile: String) -> Failure {
        Failure(
            .refusedInput, "this needs the files of a store, and the profile '\(profile)' of a service is chosen",
            advice: "Give the store by --store DIR; on the service's own machine its data directory is one.")
    }
}
