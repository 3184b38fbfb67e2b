internal import Synchronization

/// The `Date` of answers (RFC 9110 section 5.6.7), made once a second.
final class HTTPDate: Sendable {
    private let last = Mutex<(second: Int64, text: String)>((.min, ""))

    /// - Parameter now: milliseconds since 1970.
    func text(at now: Int64) -> String {
        let second = now / 1000
        return last.withLock { last in
            if last.second != second { last = (second, Self.format(second)) }
            return last.text
        }
    }

    private static func format(_ second: Int64) -> String {
        let (days, rest) = (Int(second / 86_400), Int(second % 86_400))
        // Days since 1970 to a date: Howard Hinnant's civil_from_days.
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(weekdays[days % 7]), \(two(day)) \(names[month - 1]) \(year) "
            + "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
    }
}
