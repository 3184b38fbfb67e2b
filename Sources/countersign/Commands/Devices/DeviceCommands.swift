import ArgumentParser
import CountersignClient

/// `countersign devices`: a person's own.
struct DeviceCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List, rename and delete one's devices.",
        discussion: """
            After some changes in quick succession none is possible for a while (exit 7); the list says until when.

            EXAMPLES
              countersign devices list
              countersign devices rename 5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70 'Old laptop'
              countersign devices delete 5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70
            """,
        subcommands: [List.self, Rename.self, Delete.self])

    /// `countersign devices list`.
    struct List: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List one's devices, oldest first, and which is this one.")

        @OptionGroup var place: PlaceOptions
        @Flag(help: "Print JSON: one object a line. Times are milliseconds since 1970.") var json = false

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            try DeviceTable.write(try service.run { try await $0.devices() }, asJSON: json, to: output)
            return .done
        }
    }

    /// `countersign devices rename`.
    struct Rename: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Call a device by another name.",
            discussion: "A name has 3 to 50 characters; white space around them is cut off.")

        @OptionGroup var place: PlaceOptions
        @Argument(help: "The id of the device.") var device: String
        @Argument(help: "The new name.") var name: String

        func validate() throws { try RecordOptions.checkID(device, of: "the id of a device") }

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let change = DeviceChange.rename(device, to: name)
            try service.run { try await $0.updateDevices([change]) }
            return .done
        }
    }

    /// `countersign devices delete`.
    struct Delete: ServiceCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete devices, for ever: all that are named, or none.",
            discussion: """
                Their sessions end at once. The device in use cannot be deleted: do that from another one.
                """)

        @OptionGroup var place: PlaceOptions
        @Argument(help: ArgumentHelp("The ids of the devices.", valueName: "device")) var devices: [String]

        func validate() throws {
            for device in devices { try RecordOptions.checkID(device, of: "the id of a device") }
        }

        func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
            let changes = devices.map { DeviceChange.delete($0) }
            try service.run { try await $0.updateDevices(changes) }
            return .done
        }
    }
}
