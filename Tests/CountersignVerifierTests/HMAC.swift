import CountersignJOSE
import CountersignKeys

/// HMAC-SHA256 (RFC 2104), for those who take a public key for a secret.
enum HMAC {
    static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var block = key.count > 64 ? SHA256.hash(key.span) : key
        block += [UInt8](repeating: 0, count: 64 - block.count)
        let inner = block.map { $0 ^ 0x36 } + message
        let outer = block.map { $0 ^ 0x5C } + SHA256.hash(inner.span)
        return SHA256.hash(outer.span)
    }
}

/// Base64 with padding, as PEM has it.
enum Data64 {
    static func decode(_ text: String) -> [UInt8]? {
        let characters = Array(
            text.utf8.filter { $0 != UInt8(ascii: "=") }.map { character in
                switch character {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                default: character
                }
            })
        return Base64URL.decode(characters.span)
    }
}
