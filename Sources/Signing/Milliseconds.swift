/// Times are milliseconds since 1970 in an `Int64`. They come from clocks, clients and stores, so a sum stops at the ends of
/// the range rather than trapping there.
extension Int64 {
    /// The sum, or the end of the range that it runs over.
    package func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }

    /// The whole seconds of these milliseconds, rounded down before 1970 too.
    package var wholeSeconds: Int64 { floored(by: 1000) }

    /// Division that rounds down, by a positive number.
    func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
