import CountersignKeys
import Passwords
import SigningService
import StorageSQLite

/// A command that works on the files of a store, and so on a store of one's own only.
protocol StoreCommand: Command {
    var store: StoreOption { get }

    /// Does it. The store is closed afterwards, however this ends.
    func perform(on store: OpenStore, _ output: Output) throws -> ExitStatus
}

extension StoreCommand {
    func perform(_ output: Output) throws -> ExitStatus {
        let store = try OpenStore(at: store.path())
        defer { store.close() }
        return try perform(on: store, output)
    }
}

/// A store that is open, for commands that wait for each step.
struct OpenStore {
    /// The directory's name.
    let path: String
    let engine: SigningEngine

    /// Opens a store that is there; it is never made by opening.
    init(at path: String) throws(Failure) {
        CryptoLibrary.prepare()
        self.path = path
        do {
            engine = try waitFor {
                try await Self.engine(over: StoreDirectory(existing: path))
            }
        } catch {
            throw Failure(explaining: error)
        }
    }

    /// An engine over a directory whose database is there.
    static func engine(over directory: StoreDirectory) async throws -> SigningEngine {
        let database = try await SQLiteDatabase.open(
            at: directory.databasePath, settings: SQLiteSettings(sharesConnection: true), time: WallClock.milliseconds)
        return try await SigningEngine.open(
            directory, database: database, hasher: PasswordHasher(threads: 1, queueLimit: 1),
            clock: .thatTellsOfWaiting())
    }

    /// Runs one call of the engine to its end.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (SigningEngine) async throws -> Value
    ) throws(Failure) -> Value {
        let engine = engine
        do { return try waitFor { try await work(engine) } } catch { throw Failure(explaining: error) }
    }

    /// Finishes what runs. Closing twice is harmless.
    func close() {
        let engine = engine
        try? waitFor { await engine.close() }
    }
}
