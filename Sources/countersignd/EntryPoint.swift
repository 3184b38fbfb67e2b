internal import Glibc
internal import Server

/// `countersignd`: settings, the store, the server; nothing else.
@main
enum EntryPoint {
    static func main() async {
        Process.harden()
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            try await run(words, Process.environment())
            exit(DaemonError.Status.done.rawValue)
        } catch {
            let failure = DaemonError(explaining: error)
            Process.say("countersignd: \(failure.text)")
            exit(failure.status.rawValue)
        }
    }

    private static func run(_ words: [String], _ environment: [String: String]) async throws {
        if words.contains("--help") || words.contains("-h") { return try print(Help.text) }
        if words == ["--version"] { return try print("0.1.0\n") }
        let command = words.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
        let source = try SettingsSource(Array(words.dropFirst(command == nil ? 0 : 1)), environment: environment)
        let settings = try DaemonSettings(source, environment: environment)
        switch command {
        case nil: try await Daemon.run(settings, environment)
        case "check-config":
            try settings.server.tls?.check()
            try print("the settings are in order\n")
        case "openapi": try print(String(decoding: OpenAPIDocument.text, as: UTF8.self))
        case "operator-token": try await OperatorToken.make(settings)
        default: throw DaemonError(.refusedInput, "'\(command ?? "")' is no command; see --help")
        }
    }

    private static func print(_ text: String) throws {
        guard Process.put(text) else { throw DaemonError(.unavailable, "standard output cannot be written") }
    }
}
