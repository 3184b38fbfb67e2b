import ArgumentParser

/// Where a command works that is the same everywhere.
struct PlaceOptions: ParsableArguments {
    @Option(help: StoreOption.help, completion: .directory) var store: String?

    /// The place that these options, the environment and the defaults lead to.
    func place() throws(Failure) -> Place { .store(try StoreLocation.path(option: store)) }
}
