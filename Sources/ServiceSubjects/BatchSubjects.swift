internal import CountersignKeys
internal import CountersignVerifier
internal import Passwords
internal import Signing
internal import SigningService

/// Batches at level 0 in this process, and beside them the bare signature. For the load program.
public struct BatchSubjects: Sendable {
    private let store: SubjectStore
    private let recordless: SigningEngine
    private let session: SubjectSession
    private let payloads: Payloads
    private let key: PrivateKey
    private let message: [UInt8]

    /// Over a store that is ready.
    ///
    /// - Parameter count: how many payloads a batch has.
    public init(_ store: SubjectStore, at path: String, count: Int) async throws {
        self.store = store
        recordless = try await SigningEngine.open(
            StoreDirectory(existing: path), database: RememberingDatabase(store.database),
            hasher: PasswordHasher(threads: 1, queueLimit: 1))
        session = try SubjectSession()
        payloads = .batch(
            (1...max(1, count)).map {
                Batch.Draft(
                    payload: Array("Pay 1,234.56 EUR to supplier \($0), invoice 2026-0042".utf8), reference: "\($0)")
            })
        key = try PrivateKey(generating: .es256)
        message = Array(repeating: UInt8(ascii: "m"), count: 620)
    }

    /// Bare ES256 signatures, on this thread, with the context kept.
    public func signBare(_ count: Int) throws -> [[UInt8]] {
        let signer = key.makeSigner()
        return try (0..<count).map { _ in try signer.sign(message.span) }
    }

    /// A batch that is on record, as its statements.
    public func sign() async throws -> [String] { try await sign(store.engine) }

    /// The same without a record: what is left of it when the rows cost nothing.
    public func signWithoutRecord() async throws -> [String] { try await sign(recordless) }

    private func sign(_ engine: SigningEngine) async throws -> [String] {
        let outcome = try await engine.start(
            user: session.user, payloads: payloads, reason: Array("Payroll of January".utf8), level: 0, type: 0,
            audience: SubjectStore.service, asker: session.asker)
        guard case .signedAll(let results) = outcome else { throw SubjectFault("level 0 asked for a password") }
        return results.map(\.statement)
    }
}
