package import CountersignKeys
package import Passwords
internal import Signing
package import Storage

/// The service as a library: users, keys, ceremonies, statements, over one store.
///
/// Several engines, in one process or in many, may work on the same store: nothing is kept between transactions.
/// Every method throws a
/// `Refusal` for a "no" of the rules, a `StorageError` where the store fails, and a `KeyError` where cryptography does.
package struct SigningEngine: Sendable {
    let database: any SQLDatabase
    let masterKey: AEADKey
    let hasher: PasswordHasher
    let clock: EngineClock
    let privateKeys = PrivateKeyCache()

    /// An engine over a store that is open.
    package init(
        database: any SQLDatabase, masterKey: AEADKey, hasher: PasswordHasher, clock: EngineClock = .system
    ) {
        self.database = database
        self.masterKey = masterKey
        self.hasher = hasher
        self.clock = clock
    }

    /// Runs a transaction that changes something. `body` may run again.
    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let clock = clock
        return try await database.write { try body(Transaction($0, clock: clock)) }
    }

    /// The settings as they are now.
    package func settings() async throws -> Settings {
        try await database.read { try Settings.load(on: $0) }
    }

    /// Changes a setting.
    ///
    /// - Returns: whether the value is one that the setting takes; nothing is changed if not.
    package func set(_ name: SettingName, to value: String) async throws -> Bool {
        try await write { transaction in
            var settings = try transaction.settings()
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
