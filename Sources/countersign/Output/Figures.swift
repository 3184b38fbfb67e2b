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
}
