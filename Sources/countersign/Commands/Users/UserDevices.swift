import ArgumentParser
import CountersignVerifier

/// `countersign users devices`: what the operator does to the devices of a user.
struct UserDevices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List, block, unblock and delete the devices of a user.",
        discussion: """
            A device that is blocked or deleted is out at once: its sessions end. A blocked one can log in again when it is \
            unblocked; a deleted one never comes back, and its user enrols another with a code of `countersign users code`.

            EXAMPLES
              countersign users devices list alice
              countersign users devices block alice 5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70
              countersign users devices delete alice 5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70
            """,
        subcommands: [List.self, Block.self, Unblock.self, Delete.self])

    /// `countersign users devices list`.
    struct List: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List a user's devices, oldest first, deleted ones too.")

        @OptionGroup var place: PlaceOptions
        @Argument(help: "The user's name.") var name: String
        @Flag(help: "Print JSON: one object a line. Times are milliseconds since 1970.") var json = false

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let name = try OpenService.userName(name)
            try DeviceTable.write(try service.run { try await $0.devices(of: name) }, asJSON: json, to: output)
            return .done
        }
    }

    /// `countersign users devices block`.
    struct Block: DeviceCommand {
        static let configuration = CommandConfiguration(
            commandName: "block", abstract: "Block a device: its sessions end at once.")

        @OptionGroup var place: PlaceOptions
        @OptionGroup var named: NamedDevice

        static func change(_ device: UUIDText, of user: UserName, on service: any Service) async throws {
            try await service.blockDevice(device, of: user)
        }
    }

    /// `countersign users devices unblock`.
    struct Unblock: DeviceCommand {
        static let configuration = CommandConfiguration(
            commandName: "unblock", abstract: "Let a device log in again that was blocked.")

        @OptionGroup var place: PlaceOptions
        @OptionGroup var named: NamedDevice

        static func change(_ device: UUIDText, of user: UserName, on service: any Service) async throws {
            try await service.unblockDevice(device, of: user)
        }
    }

    /// `countersign users devices delete`.
    struct Delete: DeviceCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a device for ever, even a user's last one.")

        @OptionGroup var place: PlaceOptions
        @OptionGroup var named: NamedDevice

        static func change(_ device: UUIDText, of user: UserName, on service: any Service) async throws {
            try await service.deleteDevice(device, of: user)
        }
    }
}

/// A device and whose it is.
struct NamedDevice: ParsableArguments {
    @Argument(help: "The user's name.") var name: String
    @Argument(help: "The id of the device.") var device: String

    func validate() throws { try RecordOptions.checkID(device, of: "the id of a device") }
}

/// Something that the operator does to one device.
protocol DeviceCommand: ServiceCommand {
    var named: NamedDevice { get }

    static func change(_ device: UUIDText, of user: UserName, on service: any Service) async throws
}

extension DeviceCommand {
    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let name = try OpenService.userName(named.name)
        guard let device = UUIDText(named.device) else { return .refusedInput }
        try service.run { try await Self.change(device, of: name, on: $0) }
        return .done
    }
}
