internal import CountersignJOSE

/// The headers of the texts that were read last: there are few keys and many statements, and each key has one header.
struct KnownHeaders {
    /// The most that are kept.
    static let max = 16

    private var known: [(text: [UInt8], header: StatementHeader)] = []
    /// The one that was found last: the next text is most often of the same key.
    private var last = 0

    /// The header that a text, still base64url, stands for, if it is known.
    mutating func find(_ text: Span<UInt8>) -> StatementHeader? {
        if last < known.count, ByteScan.areEqual(known[last].text, text) { return known[last].header }
        for place in known.indices where ByteScan.areEqual(known[place].text, text) {
            last = place
            return known[place].header
        }
        return nil
    }

    /// Keeps a header that was read from its text. Where there are too many, the one after the last that was found makes
    /// room: what was found may come again.
    mutating func add(_ text: Span<UInt8>, _ header: StatementHeader) {
        var bytes: [UInt8] = []
        ByteScan.append(text, to: &bytes)
        if known.count < Self.max {
            last = known.count
            known.append((bytes, header))
        } else {
            last = (last + 1) % Self.max
            known[last] = (bytes, header)
        }
    }
}
