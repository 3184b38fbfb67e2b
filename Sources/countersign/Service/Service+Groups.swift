import CountersignClient
import CountersignVerifier
import Notifications
import ServiceMessages
import SigningService
import Wire

/// Groups of persons, out of whom several may be asked.
protocol GroupKeeping {
    /// All groups, by name.
    func groups() async throws -> [GroupMessage]
    func addGroup(_ name: GroupName, members: [UserName]) async throws
    func setGroup(_ name: GroupName, members: [UserName]) async throws
    func deleteGroup(_ name: GroupName) async throws
}

extension EmbeddedService {
    func groups() async throws -> [GroupMessage] { try await engine.groups().map { GroupMessage($0) } }

    func addGroup(_ name: GroupName, members: [UserName]) async throws {
        _ = try await engine.addGroup(name, members: members)
    }

    func setGroup(_ name: GroupName, members: [UserName]) async throws {
        _ = try await engine.setGroup(name, members: members)
    }

    func deleteGroup(_ name: GroupName) async throws { try await engine.deleteGroup(name) }
}

extension RemoteService {
    func groups() async throws -> [GroupMessage] { try await account.operator.groups().map(\.message) }

    func addGroup(_ name: GroupName, members: [UserName]) async throws {
        _ = try await account.operator.addGroup(name.text, members: members.map(\.text))
    }

    func setGroup(_ name: GroupName, members: [UserName]) async throws {
        _ = try await account.operator.setGroup(name.text, members: members.map(\.text))
    }

    func deleteGroup(_ name: GroupName) async throws { try await account.operator.deleteGroup(name.text) }
}
