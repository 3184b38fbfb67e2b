import ArgumentParser

/// Which store a command works on.
struct StoreOption: ParsableArguments {
    /// The option's words.
    static let help = ArgumentHelp(
        "The store. Else $COUNTERSIGN_STORE, else countersign in $XDG_DATA_HOME (~/.local/share).",
        valueName: "directory")

    @Option(help: help, completion: .directory) var store: String?

    /// The directory's name.
    func path() throws(Failure) -> String { try StoreLocation.path(option: store) }
}
