/// How ECMAScript writes a number (`Number::toString`), which RFC 8785 section 3.2.2.3 makes the canonical spelling.
enum ECMANumber {
    /// The spelling of a finite number.
    static func text(of value: Double) -> String {
        if value == 0 { return "0" }  // also of -0
        // By hand: `Int64(exactly:)` calls libm, which a program that imports no C library does not link.
        if value.magnitude < 0x1p53, Double(Int64(value)) == value { return String(Int64(value)) }
        let sign = value < 0 ? "-" : ""
        let (digits, point) = decimal(value.magnitude)
        if point > 21 || point < -5 {
            let exponent = point - 1
            let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
            return sign + digits.prefix(1) + fraction + (exponent < 0 ? "e-" : "e+") + String(exponent.magnitude)
        }
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
        return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }

    /// The fewest digits that name the number (the nearest of these), and where their decimal point stands: 0.digits
    /// times ten to the power of `point`. Swift's own description has these digits, laid out in its own way.
    private static func decimal(_ value: Double) -> (digits: String, point: Int) {
        let parts = value.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let all = mantissa.joined()
        let leading = all.prefix { $0 == "0" }.count
        var digits = all.dropFirst(leading)
        while digits.last == "0" { digits.removeLast() }
        return (String(digits), mantissa[0].count - leading + exponent)
    }
}
