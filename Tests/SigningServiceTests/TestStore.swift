import CountersignKeys
import CountersignVerifier
import Foundation
import Passwords
import Signing
import SigningService
import Storage
import StorageSQLite
import Synchronization
import Testing

/// A clock that the test sets. Sleeping lets the time pass, and others run.
final class TestClock: Sendable {
    private let time: Mutex<Int64>
    /// How often somebody waited.
    let sleeps = Atomic(0)

    init(_ start: Int64 = 1_767_225_600_000) {
        time = Mutex(start)
    }

    var now: Int64 { time.withLock { $0 } }

    func advance(_ milliseconds: Int64) {
        time.withLock { $0 += milliseconds }
    }

    var clock: EngineClock {
        EngineClock(
            now: { [self] in now },
            sleep: { [self] _ in
                sleeps.add(1, ordering: .relaxed)
                await Task.yield()
            })
    }
}

/// A store in a folder of its own, with cheap hashes; removed with the value.
final class TestStore: Sendable {
    static let password = "correct horse battery"
    let path: String
    let clock: TestClock
    let engine: SigningEngine
    let hasher: PasswordHasher
    /// For those without a device.
    let strangers: PasswordHasher

    init(
        clock: TestClock = TestClock(), algorithm: KeyAlgorithm = .es256, threads: Int = 2, queueLimit: Int = 64,
        strangersQueue: Int = 64
    ) async throws {
        self.clock = clock
        path = NSTemporaryDirectory() + "countersign-tests-" + UUID().uuidString
        hasher = PasswordHasher(threads: threads, queueLimit: queueLimit)
        strangers = PasswordHasher(threads: 1, queueLimit: strangersQueue)
        let (hasher, strangers) = (hasher, strangers)
        try await StoreDirectory.create(at: path) { draft in
            try await SQLiteDatabase.create(at: draft.databasePath, time: clock.now)
            let engine = try await Self.open(draft, clock, hasher, strangers)
            try await engine.setUp(StoreSetUp(issuer: "https://issuer.example", algorithm: algorithm))
            await engine.close()
        }
        engine = try await Self.open(StoreDirectory(existing: path), clock, hasher, strangers)
        _ = try await engine.set(.passwordHash, to: "m=64,t=1,p=1")
        try await engine.addUser(Self.user("alice"), password: Self.secret(Self.password))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    static func open(
        _ directory: StoreDirectory, _ clock: TestClock, _ hasher: PasswordHasher, _ strangers: PasswordHasher? = nil
    ) async throws -> SigningEngine {
        try await SigningEngine.open(
            directory, database: SQLiteDatabase.open(at: directory.databasePath, time: clock.now), hasher: hasher,
            strangers: strangers, clock: clock.clock)
    }

    /// Another engine over the same store, as another process would have.
    func another() async throws -> SigningEngine {
        try await Self.open(StoreDirectory(existing: path), clock, hasher, strangers)
    }

    /// Another engine over the same store, between whose transactions something happens once it is time.
    func interrupted(
        when isMoment: @escaping @Sendable (any SQLConnection) throws -> Bool,
        _ meanwhile: @escaping @Sendable () async throws -> Void
    ) async throws -> (engine: SigningEngine, database: InterposedDatabase) {
        let database = InterposedDatabase(try await database(), when: isMoment, meanwhile)
        let engine = try await SigningEngine.open(
            StoreDirectory(existing: path), database: database, hasher: hasher, strangers: strangers,
            clock: clock.clock)
        return (engine, database)
    }

    /// An engine that is interrupted after an attempt of alice's was taken, and before its password is looked at.
    func interruptedAttempt(
        _ purpose: LedgerRow.Purpose, _ meanwhile: @escaping @Sendable () async throws -> Void
    ) async throws -> (engine: SigningEngine, database: InterposedDatabase) {
        try await interrupted(when: { try !LedgerRow.load("alice", purpose, on: $0).inFlight.isEmpty }, meanwhile)
    }

    static func user(_ name: String) throws -> UserName {
        try SigningEngine.userName(name)
    }

    static func secret(_ text: String) -> SecretBytes {
        SecretBytes(copying: Array(text.utf8).span)
    }

    static func asker() throws -> Asker {
        guard let session = UUIDText(try SecureRandom.uuid()) else { throw CocoaError(.coderInvalidValue) }
        return Asker(session: session)
    }

    /// Starts a signing by password.
    func challenge(
        _ name: String = "alice", payload: String = "Pay 5.00 EUR", asker: Asker? = nil,
        engine: SigningEngine? = nil
    ) async throws -> Challenge {
        let outcome = try await (engine ?? self.engine).start(
            user: Self.user(name), payload: Array(payload.utf8), reason: Array("Invoice 17".utf8), level: 1, type: 0,
            asker: asker ?? Self.asker())
        guard case .challenged(let challenge) = outcome else { throw CocoaError(.coderInvalidValue) }
        return challenge
    }

    /// Signs by password, from start to end.
    func sign(_ name: String = "alice", payload: String = "Pay 5.00 EUR") async throws -> SignedResult {
        let outcome = try await engine.answer(challenge(name, payload: payload), with: Self.secret(Self.password))
        guard case .signed(let result) = outcome else { throw CocoaError(.coderInvalidValue) }
        return result
    }

    /// The database itself, to look behind the engine or to spoil something.
    func database() async throws -> SQLiteDatabase {
        try await SQLiteDatabase.open(at: path + "/store.sqlite", time: clock.now)
    }

    /// Whether an answer of alice's is being checked.
    func isAttemptTaken() async throws -> Bool {
        let database = try await database()
        let ledger = try await database.read { try LedgerRow.load("alice", .stepUp, on: $0) }
        await database.close()
        return !ledger.inFlight.isEmpty
    }

    /// What the audit says, oldest first.
    func events() async throws -> [String] {
        try await engine.audit(AuditRow.Filter(), #require(Page(startIndex: 1, count: Page.limit))).reversed().map(
            \.event)
    }

    /// Runs something, and gives the code of the refusal that it ends in.
    static func code(_ body: () async throws -> Void) async throws -> Refusal.Code? {
        try await refusal(body)?.code
    }

    /// Runs something, and gives the refusal that it ends in.
    static func refusal(_ body: () async throws -> some Any) async throws -> Refusal? {
        do {
            _ = try await body()
            return nil
        } catch let refusal as Refusal {
            return refusal
        }
    }
}

extension TestStore {
    /// A file of the store.
    func bytes(_ name: String) throws -> Data {
        (try? Data(contentsOf: URL(filePath: path + "/" + name))) ?? Data()
    }
}

extension Data {
    /// Whether a text is somewhere in it.
    func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}

/// A folder that is removed with the value.
final class TestFolder: Sendable {
    private let path: String

    init(_ path: String) { self.path = path }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
