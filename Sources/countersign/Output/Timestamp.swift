/// Times as text: UTC, RFC 3339. The proleptic Gregorian calendar in integers, so that no locale and no time zone data is
/// touched.
enum Timestamp {
    /// Seconds since 1970 as `2026-01-31T08:15:00Z`.
    static func text(seconds: Int64) -> String {
        var bytes: [UInt8] = []
        append(seconds: seconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the same.
    static func append(seconds: Int64, to bytes: inout [UInt8]) {
        let (days, rest) = seconds.quotientAndFloorRemainder(by: 86_400)
        let date = civil(days)
        Figures.append(date.year, width: 4, to: &bytes)
        func add(_ separator: Unicode.Scalar, _ number: Int64) {
            bytes.append(UInt8(ascii: separator))
            Figures.append(number, width: 2, to: &bytes)
        }
        add("-", date.month)
        add("-", date.day)
        add("T", rest / 3600)
        add(":", rest / 60 % 60)
        add(":", rest % 60)
        bytes.append(UInt8(ascii: "Z"))
    }

    /// Milliseconds since 1970, shown to the second.
    static func text(milliseconds: Int64) -> String {
        text(seconds: milliseconds.quotientAndFloorRemainder(by: 1000).quotient)
    }

    /// `2026-01-31` (the start of that day) or `2026-01-31T08:15:00Z`, in seconds since 1970; nil for anything else.
    static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 10 || bytes.count == 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            (1...12).contains(month), day >= 1
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        // A day that the month does not have comes back as another one.
        guard civil(days) == (year, month, day) else { return nil }
        if bytes.count == 10 { return days * 86_400 }
        guard bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            bytes[19] == UInt8(ascii: "Z"), let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]),
            let second = number(bytes[17..<19]), hour < 24, minute < 60, second < 60
        else { return nil }
        return days * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// Howard Hinnant's algorithm: years that begin in March, in eras of 400.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).quotientAndFloorRemainder(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).quotientAndFloorRemainder(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }
}

extension Int64 {
    fileprivate func quotientAndFloorRemainder(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
