internal import Glibc
internal import NIOPosix

/// The addresses that a name leads to now.
package struct ResolvedHost: Sendable {
    /// Each of 4 or 16 bytes.
    package let addresses: [[UInt8]]

    /// The addresses of a host: of a name, or a literal one, with or without brackets.
    package static func resolve(_ host: String) async throws(OutboundError) -> ResolvedHost {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let found: [[UInt8]]
        do {
            // The system's resolver blocks its thread.
            found = try await NIOThreadPool.singleton.runIfActive { addresses(of: bare) }
        } catch {
            throw OutboundError(.cancelled, "cancelled")
        }
        guard !found.isEmpty else { throw OutboundError(.unreachable, "the name is not known") }
        return ResolvedHost(addresses: found)
    }

    /// Addresses that are given.
    package init(addresses: [[UInt8]]) { self.addresses = addresses }

    /// Whether each of them is of the internet at large: one that is not is enough to refuse the name.
    package var isPublic: Bool { addresses.allSatisfy(AddressRange.isPublic) }

    private static func addresses(of host: String) -> [[UInt8]] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { unsafe freeaddrinfo(list) }
        var found: [[UInt8]] = []
        var entry = unsafe list
        while let info = unsafe entry?.pointee {
            // sockaddr_in and sockaddr_in6 as the kernel has them: `sin_addr` at 4, `sin6_addr` at 8.
            let field: Range<Int>? =
                switch unsafe info.ai_family {
                case AF_INET: 4..<8
                case AF_INET6: 8..<24
                default: nil
                }
            let raw = unsafe UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen))
            if let field, raw.count >= field.upperBound { unsafe found.append([UInt8](raw[field])) }
            unsafe entry = info.ai_next
        }
        return found
    }
}
