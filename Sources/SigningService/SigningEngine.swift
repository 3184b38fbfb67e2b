internal import CountersignKeys
package import Passwords
internal import Signing
package import Storage

/// The service as a library: users, keys, ceremonies, statements, over one store.
///
/// Several engines, in one process or in many, may work on the same store: nothing is believed from one transaction to the next.
/// Every method throws a `Refusal` for a "no" of the rules, a `StorageError` where the store fails, and a `KeyError` or
/// `PasswordError` where cryptography does.
package final class SigningEngine: Sendable {
    let database: any SQLDatabase
    let masterKey: AEADKey
    let requestKey: MACKey
    let hasher: PasswordHasher
    /// For those whose key is no device's: they queue among themselves.
    let strangers: PasswordHasher
    let clock: EngineClock
    let lastBasis = LastBasis()
    let presumedSessions = PresumedSessions()
    let strangerTally = StrangerTally()
    let crowd = Crowd()
    /// Whom to wake when something changed.
    package let changes: ChangeHub

    private init(
        database: any SQLDatabase, masterKey: AEADKey, hasher: PasswordHasher, strangers: PasswordHasher,
        clock: EngineClock
    ) throws(KeyError) {
        self.database = database
        self.masterKey = masterKey
        requestKey = try masterKey.requestKey()
        self.hasher = hasher
        self.strangers = strangers
        self.clock = clock
        changes = ChangeHub(clock: clock)
    }

    /// Opens an engine over a store, and makes sure that the master key is the store's own (K3).
    ///
    /// - Parameters:
    ///   - hasher: for users and their devices.
    ///   - strangers: for log-ins with a key that is no device of the user's, and for enrolments, so that whoever floods the door does
    ///     not fill the queue of the others; nil: one thread, and a short queue.
    /// - Throws: `StoreDirectoryError` for the master key's file, or `wrongMasterKey` where it opens nothing of this store.
    package static func open(
        _ directory: StoreDirectory, database: any SQLDatabase, hasher: PasswordHasher,
        strangers: PasswordHasher? = nil, clock: EngineClock = .system
    ) async throws -> SigningEngine {
        let masterKey = try directory.masterKey()
        if let row = try await database.read({ try KeyRow.anySealed(on: $0) }), !masterKey.opens(row) {
            throw StoreDirectoryError(
                .wrongMasterKey, "the master key is not the one of this store; nothing that it seals can be opened")
        }
        return try SigningEngine(
            database: database, masterKey: masterKey, hasher: hasher,
            strangers: strangers
                ?? PasswordHasher(threads: 1, queueLimit: 7, niceness: PasswordHasher.serviceNiceness),
            clock: clock)
    }

    /// How many password hashes this engine has computed: one for each that was asked for, whoever it was (attack S10).
    package var passwordHashes: Int { hasher.completed + strangers.completed }

    /// How many password hashes run or wait.
    package var passwordQueue: Int { hasher.queueLength + strangers.queueLength }

    /// Runs a transaction that changes something, and wakes who waits for what it changed. `body` may run again.
    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let clock = clock
        let (value, topics) = try await database.write { connection in
            let transaction = try Transaction(connection, clock: clock)
            return (try body(transaction), transaction.changed.topics)
        }
        changes.tell(topics)
        return value
    }

    /// The settings as they are now.
    package func settings() async throws -> Settings {
        try await database.read { try Settings.load(on: $0) }
    }

    /// Changes a setting.
    ///
    /// - Returns: whether the value is one that the setting takes; nothing is changed if not.
    package func set(_ name: SettingName, to value: String, once: Once<Bool>? = nil) async throws -> Bool {
        try await write(once) { transaction in
            // Without the one that is replaced, so that a value that makes no sense can be repaired.
            var settings = try Settings.load(except: name, on: transaction.connection)
            guard name.apply(value, to: &settings) else { return false }
            let written = name.value(in: settings)
            try SettingRow(name: name.rawValue, value: written).save(on: transaction.connection)
            try transaction.record(.settingChanged, detail: "\(name.rawValue)=\(written)")
            return true
        }
    }

    /// Finishes what runs and closes the store.
    package func close() async {
        await database.close()
    }
}
