/// Reads DER (X.690) step by step from bytes that are passed in each time, so that it holds no pointer. Lengths of up to
/// 65,535 bytes, in their shortest form only. What is not as asked for is nil.
struct DERReader {
    private var position: Int
    private let end: Int

    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position == end }

    /// The next element's tag, without moving.
    func nextTag(in bytes: Span<UInt8>) -> DERTag? {
        isAtEnd ? nil : DERTag(rawValue: bytes[position])
    }

    /// Moves behind the next element, which must have this tag, and tells where its contents are.
    mutating func read(_ tag: DERTag, in bytes: Span<UInt8>) -> Range<Int>? {
        guard end - position >= 2, bytes[position] == tag.rawValue else { return nil }
        var start = position + 2
        var count = Int(bytes[position + 1])
        if count >= 0x80 {
            let lengthBytes = count & 0x7F
            guard lengthBytes == 1 || lengthBytes == 2, end - start >= lengthBytes else { return nil }
            count = 0
            for _ in 0..<lengthBytes {
                count = count << 8 | Int(bytes[start])
                start += 1
            }
            guard count >= (lengthBytes == 1 ? 0x80 : 0x100) else { return nil }
        }
        guard end - start >= count else { return nil }
        position = start + count
        return start..<position
    }

    /// The elements inside of the next element.
    mutating func enter(_ tag: DERTag, in bytes: Span<UInt8>) -> DERReader? {
        read(tag, in: bytes).map { DERReader($0) }
    }

    /// A number that is not negative, big-endian, without its sign byte; zero is empty.
    mutating func readUnsigned(in bytes: Span<UInt8>) -> Range<Int>? {
        guard let range = read(.integer, in: bytes), !range.isEmpty, bytes[range.lowerBound] < 0x80 else { return nil }
        guard bytes[range.lowerBound] == 0 else { return range }
        guard range.count == 1 || bytes[range.lowerBound + 1] >= 0x80 else { return nil }
        return range.lowerBound + 1..<range.upperBound
    }

    /// A number that is not negative and below 2^56.
    mutating func readSmall(in bytes: Span<UInt8>) -> Int? {
        guard let range = readUnsigned(in: bytes), range.count <= 7 else { return nil }
        var value = 0
        for index in range { value = value << 8 | Int(bytes[index]) }
        return value
    }

    /// The whole bytes of a bit string.
    mutating func readBits(in bytes: Span<UInt8>) -> Range<Int>? {
        guard let range = read(.bitString, in: bytes), !range.isEmpty, bytes[range.lowerBound] == 0 else { return nil }
        return range.lowerBound + 1..<range.upperBound
    }
}

/// The tags that keys are made of.
enum DERTag: UInt8 {
    case integer = 0x02
    case bitString = 0x03
    case octetString = 0x04
    case null = 0x05
    case objectIdentifier = 0x06
    case sequence = 0x30
    case contextPrimitive1 = 0x81
    case context0 = 0xA0
    case context1 = 0xA1
}
