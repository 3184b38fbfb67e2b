/// The scheme, host and port of a service, in one spelling: what proofs are made for.
struct ServiceOrigin: Sendable, Hashable {
    /// `https://host` or `https://host:port`.
    let text: String

    /// Reads a URL. Only `https` will do, and `http` on this machine, unless the caller allows it elsewhere; a path other than
    /// `/`, a query, a fragment or a user is refused, since it would not be used.
    init(_ url: String, allowsPlainHTTP: Bool) throws(ServiceError) {
        var rest = url.utf8[...]
        let isSecure: Bool
        if let after = Self.dropPrefix("https://", of: rest) {
            (rest, isSecure) = (after, true)
        } else if let after = Self.dropPrefix("http://", of: rest) {
            (rest, isSecure) = (after, false)
        } else {
            throw Self.malformed
        }
        if rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        let (host, port) = try Self.authority(rest)
        guard isSecure || allowsPlainHTTP || Self.isLoopback(host) else {
            throw .local("a service that is not on this machine is spoken with over https")
        }
        let standard: UInt16 = isSecure ? 443 : 80
        let suffix = port.map { $0 == standard ? "" : ":\($0)" } ?? ""
        text = (isSecure ? "https://" : "http://") + host + suffix
    }

    /// Whether a URL begins with this origin. What follows is a path, a query, or nothing.
    func contains(_ url: String) -> Bool {
        guard url.utf8.starts(with: text.utf8) else { return false }
        let next = url.utf8.dropFirst(text.utf8.count).first
        return next == nil || next == UInt8(ascii: "/") || next == UInt8(ascii: "?")
    }

    private static let malformed = ServiceError.local(
        "the address of a service is written https://host or https://host:port")

    private static func authority(_ text: Substring.UTF8View) throws(ServiceError) -> (String, UInt16?) {
        var (host, port) = (text, Substring.UTF8View?.none)
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { throw malformed }
            host = text[...end]
            let after = text[text.index(after: end)...]
            if let first = after.first {
                guard first == UInt8(ascii: ":") else { throw malformed }
                port = after.dropFirst()
            }
            let digits = host.dropFirst().dropLast()
            guard !digits.isEmpty, digits.allSatisfy({ isHexadecimal($0) || $0 == UInt8(ascii: ":") }) else {
                throw malformed
            }
        } else {
            if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
                host = text[..<colon]
                port = text[text.index(after: colon)...]
            }
            guard (1...253).contains(host.count), host.first != UInt8(ascii: "."), host.allSatisfy(isHostByte) else {
                throw malformed
            }
        }
        let name = String(decoding: host.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
        guard let port else { return (name, nil) }
        let digits = String(decoding: port, as: UTF8.self)
        guard let number = UInt16(digits), number > 0, String(number).utf8.elementsEqual(digits.utf8) else {
            throw malformed
        }
        return (name, number)
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private static func dropPrefix(_ prefix: String, of text: Substring.UTF8View) -> Substring.UTF8View? {
        let count = prefix.utf8.count
        guard text.count > count,
            zip(text, prefix.utf8).allSatisfy({ ((0x41...0x5A).contains($0) ? $0 + 32 : $0) == $1 })
        else { return nil }
        return text.dropFirst(count)
    }
}
