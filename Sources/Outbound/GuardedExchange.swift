internal import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix

/// Exchanges with servers that somebody else has named: the name is resolved first, and the connection goes to just the address that was
/// looked at, so that a name cannot lead elsewhere the second time. Each is on a connection of its own.
package struct GuardedExchange: HTTPExchange {
    private let certificateAuthorities: String?
    private let allowsPrivate: Bool

    /// - Parameters:
    ///   - certificateAuthorities: a file of certificates (PEM) that are trusted instead of the system's.
    ///   - allowsPrivate: whether addresses of this machine and of private networks are taken too.
    package init(certificateAuthorities: String? = nil, allowsPrivate: Bool) {
        self.certificateAuthorities = certificateAuthorities
        self.allowsPrivate = allowsPrivate
    }

    /// As the protocol says.
    ///
    /// - Throws: also `refusedAddress` where the name leads to an address that is not of the internet at large.
    package func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        guard let host = Self.host(of: request.url) else {
            throw OutboundError(.requestInvalid, "this is no URL of a server")
        }
        let resolved = try await ResolvedHost.resolve(host)
        guard allowsPrivate || resolved.isPublic else {
            throw OutboundError(.refusedAddress, "the name leads to an address that is not of the internet at large")
        }
        guard let address = resolved.addresses.first.flatMap(Self.text) else {
            throw OutboundError(.unreachable, "the name is not known")
        }
        let exchange = try PooledExchange(
            certificateAuthorities: certificateAuthorities, addresses: [host: address])
        return try await exchange.send(request)
    }

    /// The host of an https URL; nil for anything else, and where somebody is named before it.
    package static func host(of url: String) -> String? {
        let scheme = "https://"
        guard url.utf8.count <= 2_048, url.hasPrefix(scheme), url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        let authority = url.dropFirst(scheme.utf8.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@"), !authority.contains("\\") else { return nil }
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            return isPort(authority[authority.index(after: end)...]) ? String(authority[...end]) : nil
        }
        let name = authority.prefix { $0 != ":" }
        return !name.isEmpty && isPort(authority[name.endIndex...]) ? String(name) : nil
    }

    private static func isPort(_ text: Substring) -> Bool {
        guard !text.isEmpty else { return true }
        guard text.hasPrefix(":"), let port = UInt16(text.dropFirst()) else { return false }
        return port > 0
    }

    /// An address as text, for the one that is connected to.
    private static func text(_ bytes: [UInt8]) -> String? {
        try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: 0).ipAddress
    }
}
