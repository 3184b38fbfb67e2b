/// Which addresses are of the internet at large: what is none of them is of this machine, of a network of its own, or of nobody
/// (RFC 6890 and the registries that it names).
enum AddressRange {
    /// Whether an address is of the internet at large.
    ///
    /// - Parameter bytes: 4 or 16.
    static func isPublic(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: return !special4.contains { $0.contains(bytes) }
        case 16:
            // IPv4 in IPv6's clothes.
            if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
                return isPublic(Array(bytes[12...]))
            }
            return global6.contains(bytes) && !special6.contains { $0.contains(bytes) }
        default: return false
        }
    }

    private struct Block {
        let address: [UInt8]
        let bits: Int

        init(_ address: [UInt8], _ bits: Int) {
            self.address = address
            self.bits = bits
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            for (index, byte) in address.enumerated() where index * 8 < bits {
                let shift = UInt8(max(0, 8 - (bits - index * 8)))
                guard byte >> shift == bytes[index] >> shift else { return false }
            }
            return true
        }
    }

    private static let special4 = [
        Block([0], 8), Block([10], 8), Block([100, 64], 10), Block([127], 8), Block([169, 254], 16),
        Block([172, 16], 12), Block([192, 0, 0], 24), Block([192, 0, 2], 24), Block([192, 88, 99], 24),
        Block([192, 168], 16), Block([198, 18], 15), Block([198, 51, 100], 24), Block([203, 0, 113], 24),
        Block([224], 3),
    ]
    /// All that is given out for the internet at large lies here: not ::1, fc00::/7, fe80::/10, ff00::/8, 64:ff9b::/96.
    private static let global6 = Block([0x20], 3)
    /// Of that: protocols and tunnels, which may hide an IPv4 address, and documentation.
    private static let special6 = [
        Block([0x20, 0x01, 0x00], 23), Block([0x20, 0x01, 0x0D, 0xB8], 32), Block([0x20, 0x02], 16),
        Block([0x3F, 0xFF, 0x00], 20),
    ]
}
