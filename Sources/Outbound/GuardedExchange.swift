internal import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix

/// Exchanges with servers that somebody else has named: the name is resolved first, and the connection goes to just the address that was
/// looked at, so that a name cannot lead elsewhere the second time. Each is on a connection of its own.
package struct GuardedExchange: HTTPExchange {
    /// How many addresses of a name are tried.
    private static let tries = 3

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
        var fault = OutboundError(.unreachable, "the name is not known")
        // One address may be of a kind that this machine has no way to.
        for address in resolved.addresses.prefix(Self.tries).compactMap(Self.text) {
            let exchange = try PooledExchange(
                certificateAuthorities: certificateAuthorities,
                // However the library spells the name: what it does not find here it would resolve itself.
                addresses: Dictionary([host, host.lowercased()].map { ($0, address) }, uniquingKeysWith: { $1 }))
            do {
                return try await exchange.send(request)
            } catch {
                guard error.code == .unreachable else { throw error }
                fault = error
            }
        }
        throw fault
    }

    /// The host of an https URL, without brackets; nil for anything else, and where somebody is named before it.
    package static func host(of url: String) -> String? {
        let scheme = "https://"
        guard url.utf8.count <= 2_048, url.hasPrefix(scheme), url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        let authority = url.dropFirst(scheme.utf8.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let literal = authority[authority.index(after: authority.startIndex)..<end]
            let isLiteral = literal.utf8.allSatisfy {
                isDigit($0) || (97...102).contains($0 | 0x20) || $0 == 58 || $0 == 46
            }
            return isLiteral && isPort(authority[authority.index(after: end)...]) ? String(literal) : nil
        }
        let name = authority.prefix { $0 != ":" }
        // No percent sign: nothing that others may read as another name.
        let isName = name.utf8.allSatisfy { isDigit($0) || (97...122).contains($0 | 0x20) || $0 == 45 || $0 == 46 }
        return isName && !name.isEmpty && isPort(authority[name.endIndex...]) ? String(name) : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

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
