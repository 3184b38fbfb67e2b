/// ECDSA signatures in DER, as other programs write and read them. Another hand than the one that is tested.
enum DER {
    /// The DER of r and s side by side.
    static func ecdsa(_ signature: [UInt8]) -> [UInt8] {
        let halves = [signature.prefix(signature.count / 2), signature.suffix(signature.count / 2)]
        let body = halves.flatMap { half in
            var number = Array(half.drop { $0 == 0 })
            if number.first.map({ $0 >= 0x80 }) ?? true { number.insert(0, at: 0) }
            return [0x02, UInt8(number.count)] + number
        }
        return [0x30, UInt8(body.count)] + body
    }

    /// r and s side by side of DER.
    static func fixed(_ der: [UInt8], width: Int) -> [UInt8] {
        var rest = der.dropFirst(2)
        var result: [UInt8] = []
        for _ in 0..<2 {
            let count = Int(rest.dropFirst().first ?? 0)
            let number = rest.dropFirst(2).prefix(count).drop { $0 == 0 }
            result += [UInt8](repeating: 0, count: max(0, width - number.count)) + number
            rest = rest.dropFirst(2 + count)
        }
        return result
    }
}
