import COpenSSL

/// Random bytes from OpenSSL's generator, which the system's own seeds.
package enum SecureRandom {
    /// `count` bytes that nobody can guess. An error if the generator has none to give.
    package static func bytes(_ count: Int) throws(KeyError) -> [UInt8] {
        CryptoLibrary.prepare()
        var isFilled = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            isFilled = unsafe RAND_bytes_ex(nil, buffer.baseAddress, count, 0) == 1
            initialized = isFilled ? count : 0
        }
        guard isFilled || count == 0 else { throw .fromOpenSSL(.randomFailed, "no random bytes") }
        return bytes
    }

    /// A random UUID (RFC 9562, version 4) in lower case.
    package static func uuid() throws(KeyError) -> String {
        UUIDFormat.text(try bytes(16))
    }
}

/// The text of a UUID of version 4.
enum UUIDFormat {
    /// - Parameter random: 16 bytes. Six bits of them make way for version and variant.
    static func text(_ random: [UInt8]) -> String {
        let digits: StaticString = "0123456789abcdef"
        return unsafe String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for index in random.indices {
                let byte =
                    switch index {
                    case 6: random[index] & 0x0F | 0x40
                    case 8: random[index] & 0x3F | 0x80
                    default: random[index]
                    }
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    unsafe buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                unsafe buffer[position] = digits.utf8Start[Int(byte >> 4)]
                unsafe buffer[position + 1] = digits.utf8Start[Int(byte & 15)]
                position += 2
            }
            return position
        }
    }
}
