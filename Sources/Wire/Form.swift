internal import CountersignJOSE
internal import Signing

/// The parameters of an `application/x-www-form-urlencoded` body (WHATWG URL section 5), strictly: each once, UTF-8, complete
/// escapes.
struct Form {
    private var parameters: [(name: String, value: String)] = []

    /// Reads a body.
    ///
    /// - Throws: `requestMalformed`.
    init(_ body: [UInt8]) throws(Refusal) {
        for pair in body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), parameters.count < 64,
                let name = Self.decode(pair[..<equals]), let value = Self.decode(pair[(equals + 1)...])
            else { throw Refusal(.requestMalformed) }
            guard !parameters.contains(where: { $0.name.hasSameUTF8(as: name) }) else {
                throw Refusal(.requestMalformed, .member(name))
            }
            parameters.append((name, value))
        }
    }

    /// The value of a parameter; nil where it is absent or empty.
    subscript(name: String) -> String? {
        parameters.first { $0.name.hasSameUTF8(as: name) && !$0.value.utf8.isEmpty }?.value
    }

    /// The body of parameters.
    static func encode(_ parameters: [(name: String, value: String)]) -> [UInt8] {
        var body: [UInt8] = []
        for (name, value) in parameters {
            if !body.isEmpty { body.append(UInt8(ascii: "&")) }
            Percent.encode(name, to: &body)
            body.append(UInt8(ascii: "="))
            Percent.encode(value, to: &body)
        }
        return body
    }

    private static func decode(_ text: ArraySlice<UInt8>) -> String? {
        Percent.decode(text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
    }
}

/// Percent-encoding of paths, queries and forms: RFC 3986 section 2.1.
package enum Percent {
    /// Appends a text, all but the unreserved characters escaped.
    package static func encode(_ text: String, to bytes: inout [UInt8]) {
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
    }

    /// The text, all but the unreserved characters escaped.
    package static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        encode(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What escapes stand for; nil where one is incomplete or the whole is not UTF-8.
    package static func decode(_ text: [UInt8]) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%") {
                guard index + 2 < text.count, let high = digit(text[index + 1]), let low = digit(text[index + 2]) else {
                    return nil
                }
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 55
        default: nil
        }
    }
}
