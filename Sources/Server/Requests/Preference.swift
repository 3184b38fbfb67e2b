internal import HTTPTypes

/// What a client would rather have (RFC 7240).
enum Preference {
    /// The longest that a request waits, in seconds: proxies on the way hold no connection much longer.
    static let longestWait: Int64 = 60

    /// How many milliseconds a client waits for something new: the first `wait` of `Prefer`, at most a minute.
    ///
    /// - Returns: nil where there is none, or where it makes no sense: a preference is never an error.
    static func wait(_ fields: HTTPFields) -> Int64? {
        guard fields.contains(.prefer) else { return nil }
        for entry in fields[values: .prefer].joined(separator: ",").split(separator: ",") {
            let parts = (entry.split(separator: ";", omittingEmptySubsequences: false).first ?? "")
                .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, trimmed(parts[0]).lowercased() == "wait" else { continue }
            var value = trimmed(parts[1])
            if value.count > 2, value.utf8.first == UInt8(ascii: "\""), value.utf8.last == UInt8(ascii: "\"") {
                value = value.dropFirst().dropLast()
            }
            // Longer than any number that fits is a number still.
            guard !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
            return min(Int64(value) ?? longestWait, longestWait) * 1000
        }
        return nil
    }

    /// Says that the wait was kept to.
    static let applied = HTTPField(name: .preferenceApplied, value: "wait")

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.utf8.first == 0x20 || text.utf8.first == 0x09 { text = text.dropFirst() }
        while text.utf8.last == 0x20 || text.utf8.last == 0x09 { text = text.dropLast() }
        return text
    }
}

extension HTTPField.Name {
    static let prefer = own("Prefer")
    static let preferenceApplied = own("Preference-Applied")
}
