import ArgumentParser
import CountersignJOSE
import CountersignKeys
import SigningService

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
            for key in keys { try output.write(Self.json(key)) }
        } else {
            try output.write(
                Table.text(keys.map { [$0.id, $0.key.algorithm.rawValue, Self.state($0), Self.times($0)] }))
        }
        return .done
    }

    private static func state(_ key: SigningKey) -> String {
        if key.purpose == .root { return key.hasPrivateHalf ? "root" : "root, kept elsewhere" }
        return key.revocation.map { "\(key.state.rawValue), \($0)" } ?? key.state.rawValue
    }

    private static func times(_ key: SigningKey) -> String {
        var times = ["made \(Timestamp.text(milliseconds: key.publishedAt))"]
        if let time = key.activatedAt { times.append("active from \(Timestamp.text(milliseconds: time))") }
        if let time = key.retiredAt { times.append("until \(Timestamp.text(milliseconds: time))") }
        return times.joined(separator: ", ")
    }

    private static func json(_ key: SigningKey) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(name: "kid", string: key.id)
        writer.member(name: "alg", string: key.key.algorithm.rawValue)
        writer.name("root")
        writer.bool(key.purpose == .root)
        writer.member(name: "state", string: key.state.rawValue)
        writer.name("hasPrivateHalf")
        writer.bool(key.hasPrivateHalf)
        writer.member(name: "publishedAt", integer: key.publishedAt)
        if let time = key.activatedAt { writer.member(name: "activatedAt", integer: time) }
        if let time = key.retiredAt { writer.member(name: "retiredAt", integer: time) }
        if let time = key.revokedAt { writer.member(name: "revokedAt", integer: time) }
        if let reason = key.revocation { writer.member(name: "revocation", string: reason) }
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
