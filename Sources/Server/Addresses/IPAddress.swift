/// An IPv4 or IPv6 address as its bytes, without a zone. An IPv4 address in IPv6's clothes is the IPv4 address.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16 bytes.
    package let bytes: [UInt8]

    /// An address from its bytes; nil unless they are 4 or 16.
    package init?(bytes: [UInt8]) {
        switch bytes.count {
        case 4: self.bytes = bytes
        case 16:
            let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            self.bytes = isMapped ? Array(bytes[12...]) : bytes
        default: return nil
        }
    }

    /// Stands for whoever is gone already, so that the address is not known: they share what one address has.
    static let unknown = IPAddress(of: [0, 0, 0, 0])

    private init(of bytes: [UInt8]) { self.bytes = bytes }

    /// An address as text: `192.0.2.1`, `2001:db8::1`, `[2001:db8::1]`. No zone, no port.
    package init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        var text = Substring(text)
        if text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") {
            text = text.dropFirst().dropLast()
            guard text.utf8.contains(UInt8(ascii: ":")) else { return nil }
        }
        let parsed = text.utf8.contains(UInt8(ascii: ":")) ? Self.parseV6(text) : Self.parseV4(text)
        guard let parsed else { return nil }
        self.init(bytes: parsed)
    }

    /// Whether it is of this machine: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }

    /// What limits count by: an IPv4 address, or the /64 of an IPv6 address, which one customer has all of.
    package var network: IPAddress {
        guard bytes.count == 16 else { return self }
        return IPAddress(bytes: Array(bytes[..<8]) + [UInt8](repeating: 0, count: 8)) ?? self
    }

    /// Dotted decimals, or groups as RFC 5952 section 4 writes them: clients write an address so in the URLs of their proofs.
    package var description: String {
        guard bytes.count == 16 else { return bytes.map { String($0) }.joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        func text(_ range: Range<Int>) -> String {
            groups[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        // The first of the longest runs of zeros, if it is one at all.
        var run = 0..<1
        for start in groups.indices {
            let end = groups[start...].firstIndex { $0 != 0 } ?? groups.endIndex
            if end - start > run.count { run = start..<end }
        }
        guard run.count > 1 else { return text(0..<8) }
        return text(0..<run.lowerBound) + "::" + text(run.upperBound..<8)
    }

    private static func parseV4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard let byte = UInt8(part), String(byte).utf8.elementsEqual(part.utf8) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func parseV6(_ text: Substring) -> [UInt8]? {
        let halves = halves(of: text)
        guard let first = halves.first, halves.count <= 2 else { return nil }
        guard let head = groups(first), let tail = halves.count == 2 ? groups(halves[1]) : [] else { return nil }
        let missing = 16 - head.count - tail.count
        guard halves.count == 2 ? missing >= 2 : missing == 0 else { return nil }
        return head + [UInt8](repeating: 0, count: missing) + tail
    }

    /// What stands before and after `::`.
    private static func halves(of text: Substring) -> [Substring] {
        let bytes = text.utf8
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let next = bytes.index(after: index)
            if next < bytes.endIndex, bytes[index] == UInt8(ascii: ":"), bytes[next] == UInt8(ascii: ":") {
                return [text[..<index], text[bytes.index(after: next)...]]
            }
            index = next
        }
        return [text]
    }

    private static func groups(_ text: Substring) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.utf8.contains(UInt8(ascii: ".")) {
                guard let last = parseV4(part) else { return nil }
                bytes += last
                continue
            }
            let isHex = part.utf8.allSatisfy {
                (48...57).contains($0) || (97...102).contains($0) || (65...70).contains($0)
            }
            guard (1...4).contains(part.utf8.count), isHex, let group = UInt16(part, radix: 16) else { return nil }
            bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
        return bytes
    }
}

/// A block of addresses: `10.0.0.0/8`, `2001:db8::/32`, or a single address.
package struct AddressBlock: Sendable, Hashable {
    private let address: IPAddress
    private let prefix: Int

    /// A block as text; nil where it is none.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
        let bits = address.bytes.count * 8
        self.address = address
        guard parts.count == 2 else {
            prefix = bits
            return
        }
        guard let prefix = Int(parts[1]), (0...bits).contains(prefix), String(prefix).utf8.elementsEqual(parts[1].utf8)
        else { return nil }
        self.prefix = prefix
    }

    /// Whether an address lies in it.
    package func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let (whole, rest) = prefix.quotientAndRemainder(dividingBy: 8)
        guard other.bytes[..<whole].elementsEqual(address.bytes[..<whole]) else { return false }
        guard rest > 0 else { return true }
        return (other.bytes[whole] ^ address.bytes[whole]) >> UInt8(8 - rest) == 0
    }
}
