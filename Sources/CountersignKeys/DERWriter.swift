/// Writes DER (X.690) elements, for public keys.
enum DERWriter {
    static func element(_ tag: DERTag, _ contents: [UInt8]) -> [UInt8] {
        var head = [tag.rawValue]
        switch contents.count {
        case 0..<0x80: head.append(UInt8(contents.count))
        case 0x80..<0x100: head += [0x81, UInt8(contents.count)]
        default:
            head += [0x82, UInt8(truncatingIfNeeded: contents.count >> 8), UInt8(truncatingIfNeeded: contents.count)]
        }
        return head + contents
    }

    static func sequence(_ elements: [UInt8]...) -> [UInt8] {
        element(.sequence, elements.flatMap(\.self))
    }

    static func bits(_ bytes: [UInt8]) -> [UInt8] {
        element(.bitString, [0] + bytes)
    }

    /// A big-endian number without leading zeros.
    static func unsigned(_ bytes: [UInt8]) -> [UInt8] {
        let needsSign = bytes.first.map { $0 >= 0x80 } ?? true
        return element(.integer, needsSign ? [0] + bytes : bytes)
    }
}
