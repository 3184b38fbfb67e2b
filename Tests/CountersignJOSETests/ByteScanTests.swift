import CountersignJOSE
import Testing

@Suite("Several bytes at once: what a loop over each says")
struct ByteScanTests {
    /// Lengths on both sides of each number of words.
    private static let counts = [0, 1, 7, 8, 9, 15, 16, 17, 23, 24, 40]

    @Test("The first byte of its kind, wherever it stands and whatever is around it")
    func first() {
        for count in Self.counts {
            for filler: UInt8 in [0x00, 0x2D, 0x2F, 0xAE, 0xFF] {
                for place in 0..<count {
                    var bytes = [UInt8](repeating: filler, count: count)
                    bytes[place] = 0x2E
                    bytes[count - 1] = 0x2E
                    for start in 0...count {
                        let found = bytes[start...].firstIndex(of: 0x2E) ?? count
                        let isRight = ByteScan.first(0x2E, in: bytes.span, from: start) == found
                        #expect(isRight, "\(bytes) from \(start)")
                    }
                }
            }
        }
    }

    @Test("Printable: every byte in every place", arguments: [0x20, 0x21] as [UInt8])
    func printable(low: UInt8) {
        for count in Self.counts {
            for filler in [low, 0x7E] {
                var bytes = [UInt8](repeating: filler, count: count)
                let isPlain = ByteScan.isPrintable(bytes.span, from: low)
                #expect(isPlain)
                for place in 0..<count {
                    for byte in UInt8.min...UInt8.max {
                        bytes[place] = byte
                        let isRight = ByteScan.isPrintable(bytes.span, from: low) == (low...0x7E).contains(byte)
                        if !isRight { Issue.record("\(byte) at \(place) of \(count)") }
                    }
                    bytes[place] = filler
                }
            }
        }
    }

    @Test("Hexadecimal: every byte in every place")
    func hexadecimal() {
        let digits = Array("0123456789abcdef".utf8)
        for (count, end) in [(0, 0), (3, 3), (4, 12), (8, 8), (8, 20), (7, 9)] {
            for filler: UInt8 in [0x30, 0x39, 0x61, 0x66] {
                var bytes = [UInt8](repeating: 0xFF, count: end)
                let start = end - count
                for place in start..<end { bytes[place] = filler }
                let areDigits = ByteScan.areHexadecimal(bytes.span, from: start, count: count)
                #expect(areDigits)
                for place in start..<end {
                    for byte in UInt8.min...UInt8.max {
                        bytes[place] = byte
                        let isRight =
                            ByteScan.areHexadecimal(bytes.span, from: start, count: count) == digits.contains(byte)
                        if !isRight { Issue.record("\(byte) at \(place) of \(end)") }
                    }
                    bytes[place] = filler
                }
                let isBeyond = ByteScan.areHexadecimal(bytes.span, from: start + 1, count: count)
                #expect(!isBeyond || count == 0 && start + 1 <= end)
            }
        }
    }

    @Test("The same bytes: any one that differs is found, and nothing beyond the end is taken for them")
    func same() {
        for count in Self.counts {
            let bytes = (0..<count).map { UInt8($0) }
            for start in 0...3 {
                let text = [UInt8](repeating: 0xEE, count: start) + bytes
                let isThere = ByteScan.has(bytes.span, in: text.span, at: start)
                #expect(isThere)
                let isBeyond = ByteScan.has(bytes.span, in: text.span, at: start + 1)
                #expect(!isBeyond)
                for place in 0..<count {
                    var other = text
                    other[start + place] ^= 0x80
                    let isSame = ByteScan.has(bytes.span, in: other.span, at: start)
                    #expect(!isSame)
                }
            }
            let isEqual = ByteScan.areEqual(bytes, bytes.span)
            let longer = bytes + [0]
            let isLonger = ByteScan.areEqual(bytes, longer.span)
            #expect(isEqual && !isLonger)
        }
    }
}
