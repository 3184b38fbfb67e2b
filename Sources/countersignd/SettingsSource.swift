internal import Configuration
internal import CountersignJOSE
internal import Glibc

/// Where settings come from: flags before the environment before the file. A name that is none is an error wherever it
/// stands, and so is one that comes twice.
struct SettingsSource {
    private let reader: ConfigReader

    /// - Parameter words: the flags, `--name value` or `--name=value`.
    init(_ words: [String], environment: [String: String]) throws(DaemonError) {
        let (flags, given) = try Self.flags(words)
        var file = given
        var variables: [Setting: String] = [:]
        let prefix = "COUNTERSIGND_"
        for (name, value) in environment where name.hasPrefix(prefix) {
            if name == prefix + "CONFIG" {
                file = file ?? value
                continue
            }
            guard let setting = Setting.allCases.first(where: { $0.variable == name }) else {
                throw DaemonError(.refusedInput, "\(name) in the environment is no setting")
            }
            variables[setting] = value
        }
        let members = try file.map { (path) throws(DaemonError) in try Self.members(of: path) } ?? [:]
        reader = ConfigReader(providers: [
            Self.provider("flags", flags), Self.provider("environment", variables), Self.provider("file", members),
        ])
    }

    /// The text of a setting; nil where nobody set it.
    subscript(setting: Setting) -> String? { reader.string(forKey: ConfigKey([setting.rawValue])) }

    private static func provider(_ name: String, _ values: [Setting: String]) -> InMemoryProvider {
        let pairs = values.map {
            (AbsoluteConfigKey([$0.key.rawValue]), ConfigValue(.string($0.value), isSecret: false))
        }
        return InMemoryProvider(name: name, values: Dictionary(uniqueKeysWithValues: pairs))
    }

    private static func flags(_ words: [String]) throws(DaemonError) -> ([Setting: String], file: String?) {
        var (values, file): ([Setting: String], String?) = ([:], nil)
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else { throw DaemonError(.refusedInput, "'\(word)' is no option; see --help") }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts.first ?? "")
            guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                throw DaemonError(.refusedInput, "--\(name) needs a value")
            }
            if name == "config" {
                guard file == nil else { throw DaemonError(.refusedInput, "--config is given twice") }
                file = value
                continue
            }
            guard let setting = Setting(rawValue: name) else {
                throw DaemonError(.refusedInput, "--\(name) is no option; see --help")
            }
            guard values.updateValue(value, forKey: setting) == nil else {
                throw DaemonError(.refusedInput, "--\(name) is given twice")
            }
        }
        return (values, file)
    }

    /// The members of a JSON file: strings, numbers, booleans, or arrays of strings for lists.
    private static func members(of path: String) throws(DaemonError) -> [Setting: String] {
        guard let bytes = TextFile.read(path, limit: 1 << 20) else {
            throw DaemonError(.refusedInput, "\(path) cannot be read: \(unsafe String(cString: strerror(errno)))")
        }
        let object: JSONObject?
        do throws(JSONError) { object = try JSON(parsing: bytes, maxBytes: 1 << 20).object } catch {
            throw DaemonError(.refusedInput, "\(path) is not JSON: \(error)")
        }
        guard let object else { throw DaemonError(.refusedInput, "\(path) is not a JSON object") }
        var values: [Setting: String] = [:]
        for member in object.members {
            guard let setting = Setting(rawValue: member.name) else {
                throw DaemonError(.refusedInput, "'\(member.name)' in \(path) is no setting")
            }
            // The system would read a path up to its first NUL, which is another one.
            guard let text = text(of: member.value), !text.utf8.contains(0) else {
                throw DaemonError(.refusedInput, "'\(member.name)' in \(path) has a value of the wrong kind")
            }
            values[setting] = text
        }
        return values
    }

    private static func text(of value: JSON) -> String? {
        switch value {
        case .string(let text): text
        case .number: value.integer.map { String($0) }
        case .bool(let flag): String(flag)
        case .array(let values):
            values.allSatisfy { $0.string != nil } ? values.compactMap(\.string).joined(separator: ",") : nil
        case .null, .object: nil
        }
    }
}
