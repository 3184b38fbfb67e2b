package import CountersignKeys

/// A string as it stands in the text.
package struct RawString: Sendable {
    /// Where it stands, without its quotation marks.
    package let range: Range<Int>
    /// Whether it has escapes, so that these bytes are not yet the string's own.
    package let hasEscapes: Bool
    /// Whether all of these bytes are ASCII.
    package let isASCII: Bool
}

extension JSONReader {
    /// A string.
    package mutating func string() throws(JSONError) -> String {
        let raw = try scanString()
        if raw.hasEscapes { return try unescaped(raw) }
        let content = bytes.span.extracting(raw.range)
        return raw.isASCII ? ByteScan.string(ascii: content) : try validated(content, at: raw.range.lowerBound)
    }

    /// A string that is checked (its escapes and UTF-8) but not copied.
    package mutating func rawString() throws(JSONError) -> RawString {
        let raw = try scanString()
        if !raw.isASCII { _ = try validated(bytes.span.extracting(raw.range), at: raw.range.lowerBound) }
        return raw
    }

    /// A string that is a secret: it goes from the text into memory that is wiped, without a copy between.
    package mutating func secret() throws(JSONError) -> SecretBytes {
        let raw = try rawString()
        // What an escape stands for is never longer than the escape.
        return try SecretBytes(capacity: raw.range.count) { (secret) throws(JSONError) in
            var index = raw.range.lowerBound
            while index < raw.range.upperBound {
                guard bytes[index] == UInt8(ascii: "\\") else {
                    secret.append(bytes[index])
                    index += 1
                    continue
                }
                let escape = try escape(at: index)
                for byte in UTF8.encode(escape.scalar) ?? UTF8.encodedReplacementCharacter { secret.append(byte) }
                index = escape.end
            }
        }
    }

    /// A string whose escapes are checked, but not yet its UTF-8.
    private mutating func scanString() throws(JSONError) -> RawString {
        guard try peek() == UInt8(ascii: "\"") else { throw wrongType() }
        let start = position + 1
        var hasEscapes = false
        var isASCII = true
        position = start
        while true {
            let run = ByteScan.plainRun(in: bytes.span, from: position)
            isASCII = isASCII && run.isASCII
            position = run.end
            guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position) }
            if bytes[position] == UInt8(ascii: "\"") { break }
            guard bytes[position] == UInt8(ascii: "\\") else { throw JSONError(.rawControl, at: position) }
            hasEscapes = true
            position = try escape(at: position).end
        }
        position += 1
        return RawString(range: start..<position - 1, hasEscapes: hasEscapes, isASCII: isASCII)
    }

    /// What a string with escapes stands for.
    private func unescaped(_ raw: RawString) throws(JSONError) -> String {
        var content: [UInt8] = []
        content.reserveCapacity(raw.range.count)
        var index = raw.range.lowerBound
        while index < raw.range.upperBound {
            let run = ByteScan.plainRun(in: bytes.span, from: index)
            ByteScan.append(bytes.span.extracting(index..<run.end), to: &content)
            index = run.end
            if index == raw.range.upperBound { break }
            let escape = try escape(at: index)
            content.append(contentsOf: UTF8.encode(escape.scalar) ?? UTF8.encodedReplacementCharacter)
            index = escape.end
        }
        return raw.isASCII
            ? String(decoding: content, as: UTF8.self) : try validated(content.span, at: raw.range.lowerBound)
    }

    private func validated(_ content: Span<UInt8>, at offset: Int) throws(JSONError) -> String {
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: content))
        } catch {
            throw JSONError(.invalidUTF8, at: offset + error.byteOffsets.lowerBound)
        }
    }

    /// The escape whose backslash is at `start`: RFC 8259 section 7, a surrogate pair counting as one.
    private func escape(at start: Int) throws(JSONError) -> (scalar: Unicode.Scalar, end: Int) {
        guard start + 1 < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""): return ("\"", start + 2)
        case UInt8(ascii: "\\"): return ("\\", start + 2)
        case UInt8(ascii: "b"): return ("\u{8}", start + 2)
        case UInt8(ascii: "f"): return ("\u{C}", start + 2)
        case UInt8(ascii: "n"): return ("\n", start + 2)
        case UInt8(ascii: "r"): return ("\r", start + 2)
        case UInt8(ascii: "t"): return ("\t", start + 2)
        case UInt8(ascii: "/"):
            if isCanonical { throw JSONError(.uncanonicalEscape, at: start) }
            return ("/", start + 2)
        case UInt8(ascii: "u"): break
        default: throw JSONError(.invalidEscape, at: start)
        }
        let unit = try hexadecimal(at: start + 2)
        if isCanonical {
            guard unit < 0x20, ![8, 9, 10, 12, 13].contains(unit), !(65...70).contains(bytes[start + 5]) else {
                throw JSONError(.uncanonicalEscape, at: start)
            }
        }
        if let scalar = Unicode.Scalar(unit) { return (scalar, start + 6) }
        let next = start + 6
        guard UTF16.isLeadSurrogate(unit), next + 1 < bytes.count, bytes[next] == UInt8(ascii: "\\"),
            bytes[next + 1] == UInt8(ascii: "u")
        else { throw JSONError(.loneSurrogate, at: start) }
        let low = try hexadecimal(at: next + 2)
        guard UTF16.isTrailSurrogate(low),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else { throw JSONError(.loneSurrogate, at: start) }
        return (scalar, next + 6)
    }

    /// Four hexadecimal digits.
    private func hexadecimal(at start: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for index in start..<start + 4 {
            guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt16(byte - 48)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt16(byte - 87)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt16(byte - 55)
            default: throw JSONError(.invalidEscape, at: start - 2)
            }
        }
        return unit
    }
}
