internal import CountersignVerifier
internal import Devices
internal import HTTPTypes
internal import ServiceMessages
internal import Sessions
internal import Signing
internal import SigningService
internal import Wire

extension Service {
    /// Devices: a person's own, and what the operator does to them.
    static let deviceRoutes: [Route] = [
        Route(
            method: .get, path: PathPattern("/v1/devices"), name: "listDevices",
            summary: "The caller's devices; with 146 where they cannot be changed now", access: .sessions([.person]),
            answer: .json(DeviceListMessage.shape)
        ) { call in
            .json(DeviceListMessage(try await call.service.engine.deviceList(as: call.session())).json)
        },
        Route(
            method: .patch, path: PathPattern("/v1/devices"), name: "updateDevices",
            summary: "Renames and deletes devices of the caller's, all that are named or none",
            access: .sessions([.person]), input: .json(UpdateDevices.shape), answer: .json(DeviceListMessage.shape),
            isIdempotencyKeyTaken: true,
            refusals: [
                .deviceNotAllowed, .deviceUnknown, .deviceCurrent, .deviceLast, .deviceOperation, .deviceNameEmpty,
                .deviceNameTooShort, .deviceNameTooLong, .deviceNameSame, .deviceNameCharacter,
            ]
        ) { call in
            let message = try call.message(UpdateDevices.self)
            let updates = try message.updates.map { update throws(Refusal) in try DeviceUpdate(update) }
            let session = try call.session()
            return try await call.answer({ DeviceListMessage(changed: $0) }) { once in
                try await call.service.engine.updateDevices(updates, as: session, once: once)
            }
        },
        Route(
            method: .get, path: PathPattern("/v1/users/{user}/devices"), name: "listUserDevices",
            summary: "A user's devices, deleted ones too", access: .sessions([.operator]),
            answer: .json(DeviceListMessage.shape), refusals: [.userUnknown]
        ) { call in
            .json(DeviceListMessage(try await call.service.engine.deviceList(of: call.knownUser())).json)
        },
        Route(
            method: .delete, path: PathPattern("/v1/users/{user}/devices/{device}"), name: "deleteUserDevice",
            summary: "Deletes a user's device, even the last one, and ends its sessions",
            access: .sessions([.operator]), answer: .nothing, refusals: [.userUnknown, .deviceUnknown]
        ) { call in
            try await call.service.engine.delete(call.namedDevice(), of: call.namedUser())
            return .nothing
        },
        action("block", "blockUserDevice", "Blocks a user's device and ends its sessions") {
            try await $0.block($1, of: $2, once: $3)
        },
        action("unblock", "unblockUserDevice", "Lets a user's device log in again that was blocked") {
            try await $0.unblock($1, of: $2, once: $3)
        },
    ]

    /// Something that is done to a device and shows in it.
    private static func action(
        _ word: String, _ name: String, _ summary: String,
        _ work: @escaping @Sendable (SigningEngine, UUIDText, UserName, Once<Device>?) async throws -> Device
    ) -> Route {
        Route(
            method: .post, path: PathPattern("/v1/users/{user}/devices/{device}/\(word)"), name: name,
            summary: summary, access: .sessions([.operator]), answer: .json(DeviceMessage.shape),
            isIdempotencyKeyTaken: true, refusals: [.userUnknown, .deviceUnknown]
        ) { call in
            let (user, device) = (try call.namedUser(), try call.namedDevice())
            return try await call.answer(DeviceMessage.init) { once in
                try await work(call.service.engine, device, user, once)
            }
        }
    }
}

extension Call {
    /// The device that the path names after its user.
    fileprivate func namedDevice() throws(Refusal) -> UUIDText {
        guard let id = parameters.last.flatMap({ UUIDText($0) }) else { throw Refusal(.deviceUnknown) }
        return id
    }
}
