/// Where events go that somebody outside wants to hear of.
package enum WebhookURL {
    /// A URL as the setting takes it: https, a host and perhaps a port, nobody named before it, no fragment, visible ASCII, 1,000 bytes at
    /// most. What its name leads to is looked at each time that something is sent.
    package static func check(_ text: String) -> Bool {
        let scheme = "https://"
        guard text.utf8.count <= 1_000, text.hasPrefix(scheme),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") })
        else { return false }
        let authority = text.dropFirst(scheme.utf8.count).prefix { $0 != "/" && $0 != "?" }
        let isLiteral = authority.hasPrefix("[")
        let host = isLiteral ? authority.prefix { $0 != "]" }.dropFirst() : authority.prefix { $0 != ":" }
        var port = authority[host.endIndex...]
        if isLiteral {
            guard port.popFirst() == "]" else { return false }
        }
        // As `GuardedExchange` reads it, which sends: what is taken here can be sent.
        let (lastLetter, mark) =
            isLiteral ? (UInt8(ascii: "f"), UInt8(ascii: ":")) : (UInt8(ascii: "z"), UInt8(ascii: "-"))
        let isHost = host.utf8.allSatisfy {
            (48...57).contains($0) || (97...lastLetter).contains($0 | 0x20) || $0 == mark || $0 == UInt8(ascii: ".")
        }
        return isHost && !host.isEmpty && (port.isEmpty || port.first == ":" && isPort(port.dropFirst()))
    }

    private static func isPort(_ digits: Substring) -> Bool {
        digits.utf8.allSatisfy { (48...57).contains($0) } && UInt16(digits).map { $0 > 0 } ?? false
    }
}
