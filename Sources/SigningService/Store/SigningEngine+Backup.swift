internal import Signing
internal import Storage

extension SigningEngine {
    /// Copies a store that is in use to a new directory, which is a store itself. The copy holds the master key:
    /// guard it as the store.
    ///
    /// - Parameters:
    ///   - directory: the engine's own.
    ///   - path: where nothing is yet.
    package func backUp(_ directory: StoreDirectory, to path: String) async throws {
        try await StoreDirectory.create(at: path, withKeyOf: directory) { draft in
            try await write { try $0.record(.backupMade) }
            try await database.backup(to: draft.databasePath)
        }
    }

    /// What a restored store begins with: whatever was open in the backup is closed, since its answer may have been
    /// given since (R6). Sessions, the operator's token, activations and their codes end, and kept replies are forgotten: what was used up or
    /// ended since the backup must not come back to life.
    ///
    /// The ids of statements are random, so a restored store gives none out twice.
    package func beginRestored() async throws {
        try await write { transaction in
            _ = try transaction.resetAll(of: nil)
            // What waited in the copy may have been carried since.
            try OutboxRow.giveUp(at: transaction.now, on: transaction.connection)
            try transaction.dismissQuestions()
            _ = try SessionRow.delete(.everybody, on: transaction.connection)
            try OperatorTokenRow.delete(on: transaction.connection)
            try ActivationRow.deleteAll(on: transaction.connection)
            try ActivationRequestRow.cancelAll(on: transaction.connection)
            try ReplyRow.deleteAll(on: transaction.connection)
            try transaction.record(.storeRestored)
        }
    }
}
