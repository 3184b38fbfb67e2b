import CountersignClient
import CountersignVerifier
import ServiceMessages
import Signing
import SigningService
import Wire

/// Devices: a person's own, and what the operator does to those of a user.
protocol DeviceKeeping {
    /// The devices of the person who asks, oldest first.
    func devices() async throws -> DeviceListMessage
    /// Renames and deletes devices of the person who asks: all that are named, or none.
    func updateDevices(_ changes: [DeviceChange]) async throws

    /// The devices of a user, deleted ones too.
    func devices(of user: UserName) async throws -> DeviceListMessage
    func blockDevice(_ id: UUIDText, of user: UserName) async throws
    func unblockDevice(_ id: UUIDText, of user: UserName) async throws
    func deleteDevice(_ id: UUIDText, of user: UserName) async throws
}

extension EmbeddedService {
    private static var noDevices: Failure {
        Failure(
            .refusedInput, "whoever owns a store has no device of their own",
            advice: "Those of a user are listed by `countersign users devices list`.")
    }

    func devices() async throws -> DeviceListMessage { throw Self.noDevices }
    func updateDevices(_ changes: [DeviceChange]) async throws { throw Self.noDevices }

    func devices(of user: UserName) async throws -> DeviceListMessage {
        guard try await engine.user(user) != nil else { throw Refusal(.userUnknown) }
        return DeviceListMessage(try await engine.deviceList(of: user))
    }

    func blockDevice(_ id: UUIDText, of user: UserName) async throws { try await engine.block(id, of: user) }
    func unblockDevice(_ id: UUIDText, of user: UserName) async throws { try await engine.unblock(id, of: user) }
    func deleteDevice(_ id: UUIDText, of user: UserName) async throws { try await engine.delete(id, of: user) }
}

extension RemoteService {
    func devices() async throws -> DeviceListMessage { try await account.devices().message }
    func updateDevices(_ changes: [DeviceChange]) async throws { try await account.updateDevices(changes) }

    func devices(of user: UserName) async throws -> DeviceListMessage {
        try await account.operator.devices(of: user.text).message
    }

    func blockDevice(_ id: UUIDText, of user: UserName) async throws {
        try await account.operator.blockDevice(id.text, of: user.text)
    }

    func unblockDevice(_ id: UUIDText, of user: UserName) async throws {
        try await account.operator.unblockDevice(id.text, of: user.text)
    }

    func deleteDevice(_ id: UUIDText, of user: UserName) async throws {
        try await account.operator.deleteDevice(id.text, of: user.text)
    }
}
