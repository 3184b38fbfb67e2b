import ArgumentParser
import CountersignKeys
import SigningService
import Storage
import StorageSQLite

/// `countersign restore`: a new store from a backup.
struct Restore: Command {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a store from a backup.",
        discussion: """
            The store must not be there yet: nothing is overwritten. What was open in the backup is reset, since it may \
            have been answered after the backup was made. What was signed after the backup is still valid, but not in \
            the restored history.

            EXAMPLES
              countersign restore /mnt/backup/countersign-2026-01-31
              countersign restore /mnt/backup/countersign-2026-01-31 --store ./restored
            """)

    @OptionGroup var store: StoreOption

    @Argument(help: "The backup's directory.", completion: .directory)
    var directory: String

    func perform(_ output: Output) throws -> ExitStatus {
        CryptoLibrary.prepare()
        let source = try StoreLocation.path(named: directory)
        let target = try store.newPath()
        do {
            try waitFor {
                let backup = try StoreDirectory(existing: source)
                try await StoreDirectory.create(at: target, withKeyOf: backup) { draft in
                    try await SQLiteDatabase.restore(from: backup.databasePath, to: draft.databasePath)
                    let engine = try await OpenStore.engine(over: draft)
                    try await engine.beginRestored()
                    await engine.close()
                }
            }
        } catch let error as StorageError where error.code == .corrupt {
            throw Failure(ExitStatus(error.code), error.description, advice: "Take an older backup.")
        } catch {
            throw Failure(explaining: error)
        }
        return .done
    }
}
