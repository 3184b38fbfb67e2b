/// Times as a person reads them, in UTC and without a calendar library.
package enum UTCTime {
    /// `2026-01-31T23:59:59Z` for milliseconds since 1970; a begun second counts as a whole one, so that a wait is over when
    /// the text says so.
    package static func text(_ milliseconds: Int64) -> String {
        let seconds = milliseconds.floored(by: 1000) + (milliseconds % 1000 == 0 ? 0 : 1)
        let day = seconds.floored(by: 86_400)
        let second = seconds - day * 86_400
        let (year, month, dayOfMonth) = date(ofDay: day)
        let date = "\(year)-\(two(month))-\(two(dayOfMonth))"
        return "\(date)T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
    }

    /// The Gregorian date of a day since 1970-01-01. Counts years from March, so that a leap day is the last of its year, in
    /// eras of 400 years, which all have 146,097 days.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468  // days since 0000-03-01
        let era = shifted.floored(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
