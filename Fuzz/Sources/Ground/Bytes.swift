/// The bytes that libFuzzer passes.
public func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
    unsafe Array(UnsafeBufferPointer(start: start, count: count))
}

/// Base64url without padding (RFC 4648 section 5), written down a second time: the verifier's own is not public, and
/// must not be its own witness.
public func base64URL(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 3 * 4 + 4)
    var bits = 0
    var count = 0
    for byte in bytes {
        bits = bits << 8 | Int(byte)
        count += 8
        while count >= 6 {
            count -= 6
            text.append(digits[bits >> count & 63])
        }
        bits &= (1 << count) - 1
    }
    if count > 0 { text.append(digits[bits << (6 - count) & 63]) }
    return text
}

/// A block of PEM around the DER of a public key (RFC 7468).
public func pem(_ der: [UInt8]) -> [UInt8] {
    let body = base64URL(der).map { digit in
        digit == UInt8(ascii: "-") ? UInt8(ascii: "+") : digit == UInt8(ascii: "_") ? UInt8(ascii: "/") : digit
    }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (3 - der.count % 3) % 3)
    return Array("-----BEGIN PUBLIC KEY-----\n".utf8) + body + padding + Array("\n-----END PUBLIC KEY-----\n".utf8)
}

/// A compact JWS of three parts that are base64url already.
public func compact(_ header: [UInt8], _ payload: [UInt8], _ signature: [UInt8]) -> [UInt8] {
    header + [UInt8(ascii: ".")] + payload + [UInt8(ascii: ".")] + signature
}

/// The text without one newline at its end.
public func withoutNewline(_ text: [UInt8]) -> [UInt8] {
    text.last == UInt8(ascii: "\n") ? Array(text.dropLast()) : text
}
