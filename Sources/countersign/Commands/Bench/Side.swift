/// One of two things that are measured beside each other.
protocol Side {
    /// Does its work at least `count` times, or does the nearest that is whole.
    func run(_ count: Int) throws -> Slice

    /// Verifies everything that the last run made. It is not measured.
    ///
    /// - Throws: `Failure` where a signature is wrong.
    func check() throws
}

/// What one side did without a break.
struct Slice {
    /// How often the work was done.
    let count: Int
    /// How long that took: CPU time for one thread, time on the wall for more.
    let seconds: Double

    var rate: Double { Double(count) / max(1e-9, seconds) }
}

extension Failure {
    /// A figure that would mean nothing.
    static func wrongResult(_ what: String) -> Failure {
        Failure(
            .unavailable, "\(what); nothing that was measured can be relied on",
            advice: "Run it again; if it comes again, this machine or its libcrypto does not compute right.")
    }
}
