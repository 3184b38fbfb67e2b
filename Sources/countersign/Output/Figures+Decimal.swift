extension Figures {
    /// 1234.567 as "1,234.57", to so many places.
    static func decimal(_ value: Double, places: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "-" }
        let unit = (0..<places).reduce(1) { power, _ in power * 10 }
        let scaled = Int((abs(value) * Double(unit)).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return sign + grouped(scaled) }
        let digits = String(scaled % unit)
        return sign + grouped(scaled / unit) + "." + String(repeating: "0", count: places - digits.count) + digits
    }

    /// A rate to three digits at least: 57,912 or 52.4 or 3.14.
    static func rate(_ value: Double) -> String {
        decimal(value, places: value < 10 ? 2 : value < 1000 ? 1 : 0)
    }
}
