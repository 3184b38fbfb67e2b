import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

extension TestStore {
    /// What is asked in most tests.
    static func request(
        _ persons: RequestDraft.Persons? = nil, payload: String = "Pay 5.00 EUR to Bob", level: Int = 1,
        requester: String? = nil, life: Int64? = nil, match: RequestDraft.MatchChoice? = .without
    ) throws -> RequestDraft {
        RequestDraft(
            try persons ?? .person(user("alice")), requester: try requester.map { try user($0) },
            payload: Array(payload.utf8), reason: Array("Invoice 17".utf8), level: level, life: life, match: match)
    }

    /// The name of a relying service that is there.
    func shop(_ name: String = "shop") async throws -> ClientName {
        _ = try await service(name)
        return try #require(ClientName(name))
    }

    /// People with passwords and devices, by name.
    func people(_ names: [String]) async throws -> [String: Person] {
        var people: [String: Person] = [:]
        for name in names {
            if name != "alice" {
                try await engine.addUser(Self.user(name), password: Self.secret(Self.password))
            }
            people[name] = try await person(name)
        }
        return people
    }

    /// The question of a request as one person has it.
    func question(of request: UUIDText, to name: String = "alice") async throws -> NotificationRecord {
        let all = try await engine.notifications(of: Self.user(name), Period(), RecordRange(startIndex: 1, count: 0))
        return try #require(all.first { $0.notification.matter.id == request })
    }

    /// Accepts a request with the password.
    @discardableResult
    func accept(
        _ request: UUIDText, _ person: Person, _ name: String = "alice", engine: SigningEngine? = nil
    ) async throws -> SignedResult {
        let id = try await question(of: request, to: name).notification.id
        let answered = try await (engine ?? self.engine).answer(
            notification: id, as: person.session, action: "Accept")
        let signing = try #require(answered.signing)
        return try #require(try await answer(signing.id, person.session, engine: engine).result)
    }

    /// Declines it.
    func decline(_ request: UUIDText, _ person: Person, _ name: String = "alice") async throws {
        let id = try await question(of: request, to: name).notification.id
        _ = try await engine.answer(notification: id, as: person.session, action: "Reject")
    }
}
