/// Scheme, host and port of a URL, in one spelling: lower case, no port that is the scheme's own, no path.
package struct Origin: Sendable, Hashable {
    /// `https://sign.example:8443`
    package let text: String
    /// Whether it is of TLS.
    package let isSecure: Bool
    /// Whether it is this machine's own.
    package let isLoopback: Bool

    /// nil for anything but `http` or `https`, a host of letters, digits, hyphens and dots or an address, and a port.
    package init?(_ text: String) {
        let schemes = ["https://", "http://"]
        guard text.utf8.count <= 300, let scheme = schemes.first(where: { text.hasPrefix($0) }) else { return nil }
        isSecure = scheme == schemes[0]
        var host = text.dropFirst(scheme.utf8.count)
        var port: Substring?
        let end = host.utf8.first == UInt8(ascii: "[") ? host.firstIndex(of: "]") : host.startIndex
        guard let end else { return nil }
        if let colon = host[end...].lastIndex(of: ":") {
            port = host[host.index(after: colon)...]
            host = host[..<colon]
        }
        if let port {
            guard let number = UInt16(port), number > 0, String(number).utf8.elementsEqual(port.utf8),
                number != (isSecure ? 443 : 80)
            else { return nil }
        }
        guard Self.isHost(host) else { return nil }
        isLoopback = host == "localhost" || IPAddress(String(host))?.isLoopback == true
        self.text = text
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.utf8.first == UInt8(ascii: "[") { return IPAddress(String(host)) != nil }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.utf8.first != UInt8(ascii: "-")
                && label.utf8.last != UInt8(ascii: "-")
                && label.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) || $0 == 45 }
        }
    }
}
