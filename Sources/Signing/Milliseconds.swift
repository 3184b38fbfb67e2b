/// Times are milliseconds since 1970 in an `Int64`. They come from clocks, clients and stores, so a sum stops at the ends of
/// the range rather than trapping there.
extension Int64 {
    /// The sum, or the end of the range that it runs over.
    package func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }
}
