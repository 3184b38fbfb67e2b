import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Notifications
import Sessions
import SigningService
import Testing

/// A device that nobody knows yet, and its way to a user.
struct Newcomer: Sendable {
    let engine: SigningEngine
    let key: PrivateKey
    let id: UUIDText

    var thumbprint: String { Thumbprint.sha256(of: key.publicKey) }

    func state() async throws -> ActivationRecord { try await engine.activation(id, of: thumbprint) }

    func verify() async throws -> ActivationRecord { try await engine.verifyActivation(id, of: thumbprint) }

    func fallBack() async throws -> ActivationRecord { try await engine.fallBack(id, of: thumbprint) }

    func cancel() async throws { try await engine.cancelActivation(id, of: thumbprint) }

    func finish(_ password: String = TestStore.password, once: Once<SessionGrant>? = nil) async throws -> SessionGrant {
        try await engine.finishActivation(id, of: thumbprint, password: TestStore.secret(password), once: once)
    }

    /// The same through another engine.
    func at(_ engine: SigningEngine) -> Newcomer { Newcomer(engine: engine, key: key, id: id) }
}

extension TestStore {
    /// A device that begins its way to a user.
    func newcomer(
        _ name: String? = "alice", device: String = "tablet", key: PrivateKey? = nil, engine: SigningEngine? = nil
    ) async throws -> Newcomer {
        let (engine, key) = (engine ?? self.engine, try key ?? PrivateKey(generating: .es256))
        let record = try await engine.beginActivation(
            of: name.map { try Self.user($0) }, deviceName: device, key: key.publicKey, address: "192.0.2.7")
        return Newcomer(engine: engine, key: key, id: record.id)
    }

    /// One that waits for its approval, with the question and the code.
    func asking(
        _ name: String = "alice", key: PrivateKey? = nil
    ) async throws -> (newcomer: Newcomer, question: UUIDText, code: String) {
        let newcomer = try await newcomer(name, key: key)
        let known = Set(try await questions(name))
        let code = try #require(try await newcomer.verify().matchCode)
        return (newcomer, try #require(try await questions(name).first { !known.contains($0) }), code)
    }

    /// The questions about new devices that wait for a user, newest first.
    func questions(_ name: String = "alice") async throws -> [UUIDText] {
        try await engine.notifications(of: Self.user(name), Period(), RecordRange(startIndex: 1, count: 0))
            .map(\.notification).filter { $0.matter.word == .activation }.map(\.id)
    }

    func approve(
        _ question: UUIDText, _ code: String?, by person: Person, engine: SigningEngine? = nil
    ) async throws {
        _ = try await (engine ?? self.engine).answer(
            notification: question, as: person.session, NotificationChoice(action: "Accept", matchCode: code))
    }

    func reject(
        _ question: UUIDText, by person: Person, isNotMe: Bool = false, blocks: Bool = false,
        engine: SigningEngine? = nil
    ) async throws {
        _ = try await (engine ?? self.engine).answer(
            notification: question, as: person.session,
            NotificationChoice(action: "Reject", isNotMe: isNotMe, blocksActivations: blocks))
    }
}
