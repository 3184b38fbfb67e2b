import ArgumentParser
import SigningService

/// `countersign backup`: a copy of a store that may be in use.
struct Backup: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the store to a new directory, while it may be in use.",
        discussion: """
            The copy is a store itself and holds the master key: guard it like the store. Nothing is overwritten.

            EXAMPLES
              countersign backup /mnt/backup/countersign-2026-01-31
            """)

    @OptionGroup var store: StoreOption

    @Argument(help: "The directory to make.", completion: .directory)
    var directory: String

    func perform(on store: OpenStore, _ output: Output) throws -> ExitStatus {
        let (source, target) = (store.path, try StoreLocation.path(named: directory))
        try store.run { try await $0.backUp(StoreDirectory(existing: source), to: target) }
        return .done
    }
}
