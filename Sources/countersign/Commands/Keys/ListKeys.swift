import ArgumentParser
import Wire

/// `countersign keys list`.
struct ListKeys: ServiceCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the keys and where they are in their lives.",
        discussion: """
            EXAMPLES
              countersign keys list
              countersign keys list --json
            """)

    @OptionGroup var place: PlaceOptions

    @Flag(help: "Print JSON: one object a line.")
    var json = false

    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus {
        let keys = try service.run { try await $0.keys() }
        if json {
            for key in keys { try output.writeLine(key) }
        } else {
            try output.write(
                Table.text(keys.map { [TerminalText.line($0.kid), $0.algorithm, Self.state($0), Self.times($0)] }))
        }
        return .done
    }

    private static func state(_ key: KeyMessage) -> String {
        if key.isRoot { return key.hasPrivateHalf ? "root" : "root, kept elsewhere" }
        return key.revocation.map { "\(key.state), \($0)" } ?? key.state
    }

    private static func times(_ key: KeyMessage) -> String {
        var times = ["made \(Timestamp.text(milliseconds: key.publishedAt))"]
        if let time = key.activatedAt { times.append("active from \(Timestamp.text(milliseconds: time))") }
        if let time = key.retiredAt { times.append("until \(Timestamp.text(milliseconds: time))") }
        return times.joined(separator: ", ")
    }
}
