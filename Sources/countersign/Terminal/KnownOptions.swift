import ArgumentParser
import CountersignJOSE

/// The options of one command, out of argument-parser's own description of it. Making that takes as long as a short
/// run, so it is asked for only where something looks wrong.
struct KnownOptions {
    private struct Option {
        let name: String
        let takesValue: Bool
        /// Its value is the next word, whatever that is.
        let takesAnyWord: Bool
        /// Whether several values are meant.
        let repeats: Bool
    }

    /// By each spelling, with its dashes.
    private var options: [String: Option] = [:]

    init(of command: any ParsableCommand.Type) {
        for name in ["--help", "-h", "--help-hidden", "--version"] {
            options[name] = Option(name: name, takesValue: false, takesAnyWord: false, repeats: false)
        }
        let description = try? JSON(parsing: Array(command._dumpHelp().utf8), maxBytes: 1 << 20)
        for argument in description?.object?["command"]?.object?["arguments"]?.array ?? [] {
            guard let facts = argument.object, let kind = facts["kind"]?.string, kind != "positional",
                let preferred = facts["preferredName"].flatMap(Self.spelling)
            else { continue }
            var repeats = false
            if case .bool(true)? = facts["isRepeating"] { repeats = true }
            let option = Option(
                name: preferred, takesValue: kind == "option",
                takesAnyWord: facts["parsingStrategy"]?.string == "unconditional",
                repeats: repeats)
            for name in (facts["names"]?.array ?? []).compactMap(Self.spelling) { options[name] = option }
        }
    }

    private static func spelling(_ name: JSON) -> String? {
        guard let name = name.object, let text = name["name"]?.string else { return nil }
        return (name["kind"]?.string == "long" ? "--" : "-") + text
    }

    /// The first option that is given a second value: argument-parser would let the last one win.
    func firstRepeated(in words: ArraySlice<String>) -> String? {
        var seen: Set<String> = []
        for name in names(in: words) {
            guard let option = options[name], option.takesValue, !option.repeats else { continue }
            guard seen.insert(option.name).inserted else { return option.name }
        }
        return nil
    }

    /// The first option that the command does not have.
    func firstUnknown(in words: ArraySlice<String>) -> String? {
        names(in: words).first { options[$0] == nil }
    }

    /// The option that was meant, if it is near enough to be named.
    func nearest(to name: String) -> String? {
        guard name.hasPrefix("--"), name.utf8.count > 3 else { return nil }
        let known = options.keys.filter { $0.hasPrefix("--") }.sorted()
        let longer = known.filter { $0.hasPrefix(name) }
        if longer.count == 1 { return longer[0] }
        return known.first { Self.differ($0, name, atMost: 2) }
    }

    /// The options among the words as argument-parser takes them: up to `--`, without values that look like options.
    private func names(in words: ArraySlice<String>) -> [String] {
        var names: [String] = []
        var rest = words.prefix { $0 != "--" }
        while let word = rest.popFirst() {
            let found = OptionWord.names(word)
            names += found
            if found.contains(where: { options[$0]?.takesAnyWord == true }), !word.contains("=") { _ = rest.popFirst() }
        }
        return names
    }

    /// Whether so many letters must be changed, added or dropped to get from one word to the other.
    private static func differ(_ one: String, _ two: String, atMost limit: Int) -> Bool {
        let (one, two) = (Array(one.utf8.prefix(64)), Array(two.utf8.prefix(64)))
        var row = Array(0...two.count)
        for (i, a) in one.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in two.enumerated() {
                let change = diagonal + (a == b ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(change, diagonal + 1, row[j] + 1)
            }
        }
        return row[two.count] <= limit
    }
}
