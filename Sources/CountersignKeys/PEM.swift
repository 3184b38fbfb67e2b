/// The text form of keys (RFC 7468), read strictly: one block and nothing else, lines without headers. Works on
/// `SecretBytes`, because a private key in text is as secret as the key.
enum PEM {
    /// Longer texts are no keys: RSA of 4,096 bits has 3,300 bytes.
    static let maxBytes = 16_384

    enum Label: String, CaseIterable {
        case publicKey = "PUBLIC KEY"
        case privateKey = "PRIVATE KEY"
        case encryptedPrivateKey = "ENCRYPTED PRIVATE KEY"
    }

    /// The label of the one block, and its bytes.
    static func decode(_ text: Span<UInt8>) throws(KeyError) -> (label: Label, der: SecretBytes) {
        guard text.count <= maxBytes else {
            throw KeyError(.malformed, "longer than \(maxBytes) bytes: not a key")
        }
        let all = trim(text, 0..<text.count)
        for label in Label.allCases {
            let begin = Array("-----BEGIN \(label.rawValue)-----".utf8)
            let end = Array("-----END \(label.rawValue)-----".utf8)
            guard all.count >= begin.count + end.count,
                text.extracting(all.prefix(begin.count)).isEqual(to: begin.span),
                text.extracting(all.suffix(end.count)).isEqual(to: end.span)
            else { continue }
            let body = all.lowerBound + begin.count..<all.upperBound - end.count
            return (label, try decodeBase64(text.extracting(body)))
        }
        throw KeyError(.malformed, advice(text))
    }

    /// The text of a block, with lines of 64 characters.
    static func encode(_ label: Label, _ der: Span<UInt8>) -> SecretBytes {
        let characters = (der.count + 2) / 3 * 4
        let frame = "-----BEGIN \(label.rawValue)-----\n-----END \(label.rawValue)-----\n"
        return SecretBytes(capacity: frame.utf8.count + characters + (characters + 63) / 64) { output in
            output.append("-----BEGIN \(label.rawValue)-----\n")
            encodeBase64(der, to: &output)
            output.append("-----END \(label.rawValue)-----\n")
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x09
    }

    private static func trim(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var range = range
        while let first = range.first, isSpace(text[first]) { range = first + 1..<range.upperBound }
        while let last = range.last, isSpace(text[last]) { range = range.lowerBound..<last }
        return range
    }

    /// What to do about a text that is something else.
    private static func advice(_ text: Span<UInt8>) -> String {
        let known: [(StaticString, String)] = [
            (
                "-----BEGIN EC PRIVATE KEY-----",
                "a private key in the old EC form: convert it with openssl pkcs8 -topk8"
            ),
            ("-----BEGIN EC PARAMETERS-----", "a private key in the old EC form: convert it with openssl pkcs8 -topk8"),
            (
                "-----BEGIN RSA PRIVATE KEY-----",
                "a private key in the old RSA form: convert it with openssl pkcs8 -topk8"
            ),
            ("-----BEGIN DSA PRIVATE KEY-----", "a DSA key is not supported: use P-256, P-384, Ed25519 or RSA"),
            ("-----BEGIN OPENSSH PRIVATE KEY-----", "a private key of OpenSSH: convert it with ssh-keygen -p -m PKCS8"),
            (
                "-----BEGIN RSA PUBLIC KEY-----",
                "a public key in the old RSA form: convert it with openssl rsa -RSAPublicKey_in -pubout"
            ),
            ("-----BEGIN CERTIFICATE-----", "a certificate, not a key: openssl x509 -pubkey -noout writes its key"),
        ]
        let start = text.extracting(trim(text, 0..<text.count))
        for (label, text) in known {
            let label = Array("\(label)".utf8)
            if start.count >= label.count, start.extracting(0..<label.count).isEqual(to: label.span) { return text }
        }
        return "not one key in PEM form (BEGIN PUBLIC KEY or BEGIN PRIVATE KEY, and nothing around it)"
    }

    private static func decodeBase64(_ text: Span<UInt8>) throws(KeyError) -> SecretBytes {
        let refusal = KeyError(.malformed, "the PEM block is not plain base64: one key, without headers")
        return try SecretBytes(capacity: text.count / 4 * 3 + 3) { (output: inout OutputSpan<UInt8>) throws(KeyError) in
            var group: UInt32 = 0
            var digits = 0
            var padding = 0
            for index in text.indices where !isSpace(text[index]) {
                if text[index] == UInt8(ascii: "=") {
                    padding += 1
                    continue
                }
                guard padding == 0, let digit = value(of: text[index]) else { throw refusal }
                group = group << 6 | UInt32(digit)
                digits += 1
                guard digits == 4 else { continue }
                output.append(UInt8(truncatingIfNeeded: group >> 16))
                output.append(UInt8(truncatingIfNeeded: group >> 8))
                output.append(UInt8(truncatingIfNeeded: group))
                group = 0
                digits = 0
            }
            switch (digits, padding) {
            case (0, 0):
                break
            case (2, 2) where group & 0x0F == 0:
                output.append(UInt8(truncatingIfNeeded: group >> 4))
            case (3, 1) where group & 0x03 == 0:
                output.append(UInt8(truncatingIfNeeded: group >> 10))
                output.append(UInt8(truncatingIfNeeded: group >> 2))
            default:
                throw refusal
            }
        }
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    private static func encodeBase64(_ der: Span<UInt8>, to output: inout OutputSpan<UInt8>) {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        var column = 0
        for start in stride(from: 0, to: der.count, by: 3) {
            let count = min(3, der.count - start)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(der[start + offset]) : 0) }
            for digit in 0..<4 {
                let index = Int(group >> UInt32(18 - 6 * digit)) & 63
                output.append(digit <= count ? unsafe alphabet.utf8Start[index] : UInt8(ascii: "="))
            }
            column += 4
            if column == 64 || start + 3 >= der.count {
                output.append(UInt8(ascii: "\n"))
                column = 0
            }
        }
    }
}

extension OutputSpan<UInt8> {

    mutating func append(_ text: String) {
        for byte in text.utf8 { append(byte) }
    }
}
