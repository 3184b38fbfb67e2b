/// The host and port that a request names, in `Host` or `:authority`. Nothing is done with them (attack A8).
package enum Authority {
    /// Whether it is a host, and perhaps a port (RFC 9112 section 3.2): a name, an IPv4 address or an IPv6 address in brackets, neither
    /// user nor path nor a list.
    package static func isWellFormed(_ text: String) -> Bool {
        let bytes = text.utf8
        var isBracketed = false
        let end: String.Index?
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
            isBracketed = true
            end = bytes.index(after: bracket)
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":"))
        }
        let host = bytes[..<(end ?? bytes.endIndex)]
        let rest = bytes[(end ?? bytes.endIndex)...]
        guard rest.isEmpty || rest.first == UInt8(ascii: ":"), rest.count <= 6,
            rest.dropFirst().allSatisfy({ (48...57).contains($0) })
        else { return false }
        if isBracketed { return IPAddress(String(Substring(host))) != nil }
        return !host.isEmpty && host.count <= 255
            && host.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
                default: false
                }
            }
    }
}
