package import Signing

/// A whole day of UTC, written `YYYY-MM-DD`.
package struct CalendarDay: Sendable, Hashable {
    /// When it begins, in milliseconds since 1970.
    package let start: Int64
    /// When the next day begins.
    package var end: Int64 { start + Self.length }

    private static let length: Int64 = 86_400_000

    /// Reads a date in its one spelling (rules H05, H06).
    ///
    /// - Throws: `dateMalformed` for another spelling and for a day that no calendar has (rule O29).
    package init(_ text: String) throws(Refusal) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), year >= 1, (1...12).contains(month), day >= 1,
            day <= Self.days(in: month, of: year)
        else { throw Refusal(.dateMalformed) }
        start = Self.daysSince1970(year, month, day) * Self.length
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - 0x30)
        }
        return number
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts years from March, so that a leap day is the last of its year, in eras of 400 years, which all have 146,097 days.
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = (shifted / 400, shifted % 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
