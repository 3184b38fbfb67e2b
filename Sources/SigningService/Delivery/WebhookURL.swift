/// Where events go that somebody outside wants to hear of.
package enum WebhookURL {
    /// A URL as the setting takes it: https, a host, nobody named before it, no fragment, visible ASCII, 1,000 bytes at most. What its name
    /// leads to is looked at each time that something is sent.
    package static func check(_ text: String) -> Bool {
        let scheme = "https://"
        guard text.utf8.count <= 1_000, text.hasPrefix(scheme),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") })
        else { return false }
        let authority = text.dropFirst(scheme.utf8.count).prefix { $0 != "/" && $0 != "?" }
        return !authority.isEmpty && !authority.hasPrefix(":") && !authority.contains { $0 == "@" || $0 == "%" }
    }
}
