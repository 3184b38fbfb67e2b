/// A media type with its parameters, as a request's header has it (RFC 9110 section 8.3).
struct MediaType {
    /// Type and subtype in lower case.
    let name: String
    /// The parameters, their names in lower case, the values as they are.
    let parameters: [(name: String, value: String)]

    /// - Returns: nil for what is no media type.
    init?(_ text: String) {
        guard text.utf8.count <= 256 else { return nil }
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)
        let name = parts[0].lowercased()
        let halves = name.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ Self.isToken($0) }) else { return nil }
        self.name = name
        var parameters: [(name: String, value: String)] = []
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, Self.isToken(pair[0]) else { return nil }
            var value = pair[1]
            if value.utf8.count >= 2, value.utf8.first == UInt8(ascii: "\""), value.utf8.last == UInt8(ascii: "\"") {
                value = value.dropFirst().dropLast()
            }
            guard Self.isToken(value) else { return nil }
            parameters.append((pair[0].lowercased(), String(value)))
        }
        self.parameters = parameters
    }

    /// Whether it is `name` in UTF-8: no parameter, or `charset=utf-8` alone (attack A6).
    func isText(_ name: String) -> Bool {
        guard self.name.utf8.elementsEqual(name.utf8) else { return false }
        return parameters.isEmpty
            || parameters.count == 1 && parameters[0].name == "charset" && parameters[0].value.lowercased() == "utf-8"
    }

    /// Whether a client that sends this `Accept` takes `name`. The quality says only yes (above 0) or no; the most
    /// exact range that matches decides.
    static func accepts(_ values: [String], _ name: String) -> Bool {
        guard !values.isEmpty else { return true }
        let type = name.prefix { $0 != "/" } + "/*"
        var best: (rank: Int, isWanted: Bool) = (0, false)
        for range in values.flatMap({ $0.split(separator: ",") }) {
            let parts = range.split(separator: ";").map(Self.trimmed)
            guard let first = parts.first else { continue }
            let wanted = first.lowercased()
            let rank = wanted == name ? 3 : wanted == type ? 2 : wanted == "*/*" ? 1 : 0
            guard rank > best.rank else { continue }
            let isRefused = parts.dropFirst().contains { part in
                part.lowercased().hasPrefix("q=0") && part.dropFirst(2).allSatisfy { $0 == "0" || $0 == "." }
            }
            best = (rank, !isRefused)
        }
        return best.isWanted
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.utf8.first == 0x20 || text.utf8.first == 0x09 { text = text.dropFirst() }
        while text.utf8.last == 0x20 || text.utf8.last == 0x09 { text = text.dropLast() }
        return text
    }

    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "!#$&-^_.+*'`|~%".utf8.contains(byte)
            }
    }
}
