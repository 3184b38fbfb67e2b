internal import HTTPTypes
internal import NIOCore

/// Who is at the other end, as far as it can be believed (attack A8).
struct Peers: Sendable {
    /// The proxies whose forwarded headers are believed.
    let trusted: [AddressBlock]

    /// The address that a request comes from: the peer's own, unless that is a trusted proxy. Then it is the right-most
    /// address of `Forwarded` or `X-Forwarded-For` that is not a trusted proxy itself; what stands left of it is the
    /// client's own claim. A proxy writes one of the two and may pass the other on as the client sent it, so where both are
    /// there and do not agree, neither is believed.
    func origin(of peer: IPAddress?, _ fields: HTTPFields) -> IPAddress? {
        guard let peer, !trusted.isEmpty, isTrusted(peer) else { return peer }
        let chains = [Self.forwarded(in: fields), Self.forwardedFor(in: fields)].compactMap { $0 }
        let origins = chains.map { origin(of: peer, through: $0) }
        guard let first = origins.first, origins.allSatisfy({ $0 == first }) else { return peer }
        return first
    }

    private func origin(of peer: IPAddress, through hops: [IPAddress?]) -> IPAddress {
        var origin = peer
        for hop in hops.reversed() {
            // What a proxy wrote that we cannot read ends what can be believed.
            guard let address = hop else { return origin }
            origin = address
            guard isTrusted(address) else { return origin }
        }
        return origin
    }

    /// Whether the header says that a proxy passes the request on.
    static func isForwarded(_ fields: HTTPFields) -> Bool {
        forwarded(in: fields) != nil || forwardedFor(in: fields) != nil
    }

    private func isTrusted(_ address: IPAddress) -> Bool { trusted.contains { $0.contains(address) } }

    /// The chain of addresses in `Forwarded`, the client's first, nil for one that is not an address; nil without the header.
    private static func forwarded(in fields: HTTPFields) -> [IPAddress?]? {
        guard let name = HTTPField.Name("forwarded"), fields.contains(name) else { return nil }
        return fields[values: name].flatMap { $0.split(separator: ",") }.map(Self.forwarded)
    }

    /// The same of `X-Forwarded-For`.
    private static func forwardedFor(in fields: HTTPFields) -> [IPAddress?]? {
        guard let name = HTTPField.Name("x-forwarded-for"), fields.contains(name) else { return nil }
        return fields[values: name].flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { address(of: trimmed($0)) }
    }

    /// The `for` of one element of `Forwarded` (RFC 7239).
    private static func forwarded(_ element: Substring) -> IPAddress? {
        for pair in element.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, trimmed(parts[0]).lowercased() == "for" else { continue }
            var value = trimmed(parts[1])
            if value.utf8.count >= 2, value.utf8.first == UInt8(ascii: "\""), value.utf8.last == UInt8(ascii: "\"") {
                value = value.dropFirst().dropLast()
            }
            return address(of: value)
        }
        return nil
    }

    /// An address with or without a port.
    private static func address(of text: Substring) -> IPAddress? {
        if let address = IPAddress(String(text)) { return address }
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = UInt16(text[text.utf8.index(after: colon)...]), port > 0
        else { return nil }
        let host = text[..<colon]
        let isBracketed = host.utf8.first == UInt8(ascii: "[")
        guard isBracketed || !host.utf8.contains(UInt8(ascii: ":")) else { return nil }
        return IPAddress(String(host))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.utf8.first == 0x20 || text.utf8.first == 0x09 { text = text.dropFirst() }
        while text.utf8.last == 0x20 || text.utf8.last == 0x09 { text = text.dropLast() }
        return text
    }
}

extension IPAddress {
    /// The address of a socket; nil for one that has none.
    init?(_ address: SocketAddress?) {
        guard let address else { return nil }
        let field: Range<Int>
        switch address.protocol {
        case .inet: field = 4..<8
        case .inet6: field = 8..<24
        default: return nil
        }
        // sockaddr_in and sockaddr_in6 as the kernel has them: `sin_addr` at 4, `sin6_addr` at 8.
        let bytes = unsafe address.withSockAddr { pointer, size in
            let raw = unsafe UnsafeRawBufferPointer(start: pointer, count: size)
            return unsafe size < field.upperBound ? [] : [UInt8](raw[field])
        }
        self.init(bytes: bytes)
    }
}
