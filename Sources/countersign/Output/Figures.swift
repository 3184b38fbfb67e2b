/// Numbers, counts and times as people read them. No locale: a script's reader finds the same everywhere.
enum Figures {
    /// 1234567 as "1,234,567".
    static func grouped(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return (number < 0 ? "-" : "") + String(digits)
    }

    /// "1 statement", "2 statements".
    static func counted(_ number: Int, _ noun: String) -> String {
        "\(grouped(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// 59.2 as "1:00", 3,723 as "1:02:03": rounded up, since people wait for the end of it.
    static func duration(seconds: Double) -> String {
        // Nobody waits longer than a thousand years.
        let seconds = Int(max(0, min(3e10, seconds.rounded(.up))))
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return hours > 0
            ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
    }

    /// Appends a number in decimal, with zeros in front up to `width` characters.
    static func append(_ number: Int64, width: Int = 1, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        while bytes.count - start < width { bytes.append(UInt8(ascii: "0")) }
        // A slice would be reversed in a copy.
        for place in 0..<(bytes.count - start) / 2 { bytes.swapAt(start + place, bytes.count - 1 - place) }
    }
}
