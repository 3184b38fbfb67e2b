import Wire

/// How devices are listed, for whoever asks.
enum DeviceTable {
    static func write(_ list: DeviceListMessage, asJSON json: Bool, to output: Output) throws {
        if json {
            for device in list.devices { try output.writeLine(device) }
        } else {
            try output.write(Table.text(list.devices.map(row)))
        }
        guard list.coolingOffUntil > 0 else { return }
        Diagnosis.say(
            "devices were changed often: none can be renamed or deleted until "
                + Timestamp.text(milliseconds: list.coolingOffUntil))
    }

    private static func row(_ device: DeviceMessage) -> [String] {
        let state = TerminalText.line(device.state) + (device.isCurrent ? " (this one)" : "")
        let probation = device.probationUntil.map { ", on probation until \(Timestamp.text(milliseconds: $0))" }
        return [
            TerminalText.line(device.id), TerminalText.line(device.name), state + (probation ?? ""),
            "enrolled \(Timestamp.text(milliseconds: device.createdAt))",
            "used \(Timestamp.text(milliseconds: device.lastAccessAt))",
        ]
    }
}
