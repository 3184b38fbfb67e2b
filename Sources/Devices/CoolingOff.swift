package import Signing

/// After how many changes of their devices a user must wait, and for how long (rule O22).
package struct CoolingOffRules: Sendable, Hashable {
    /// So many successful changes begin a cooling-off; 0: none ever does.
    package var changes: Int
    /// Within so many milliseconds.
    package var window: Int64
    /// For so many milliseconds.
    package var length: Int64

    /// Those rules.
    package init(changes: Int, window: Int64, length: Int64) {
        self.changes = changes
        self.window = window
        self.length = length
    }

    /// Five changes within a minute, then a minute.
    package static let standard = CoolingOffRules(changes: 5, window: 60_000, length: 60_000)
}

/// Whether a user may change their devices now (rules D09 and D11). Times are milliseconds since 1970 and the service's own (attack D7).
package struct CoolingOff: Sendable, Hashable {
    /// The successful changes that still count, oldest first. None while it is cooling off: afterwards they count anew.
    package private(set) var times: [Int64]
    /// The end of the newest cooling-off.
    package private(set) var until: Int64?

    /// As it was kept.
    package init(times: [Int64] = [], until: Int64? = nil) {
        self.times = times
        self.until = until
    }

    /// The end of the cooling-off that lasts now; nil: there is none.
    package func end(at now: Int64, by rules: CoolingOffRules) -> Int64? {
        guard rules.changes > 0, let until, now < until else { return nil }
        return until
    }

    /// Takes note of so many changes at once, each of which counts.
    ///
    /// - Throws: `deviceNotAllowed` with the end of the cooling-off. That neither counts nor makes it longer.
    package mutating func change(_ count: Int, at now: Int64, by rules: CoolingOffRules) throws(Refusal) {
        if let end = end(at: now, by: rules) { throw Refusal(.deviceNotAllowed, .coolingOff(until: end)) }
        until = nil
        guard rules.changes > 0 else {
            times = []
            return
        }
        let start = now.saturatingAdd(-rules.window)
        times = times.filter { $0 > start }
        guard times.count + count >= rules.changes else {
            times += Array(repeating: now, count: count)
            return
        }
        times = []
        until = now.saturatingAdd(rules.length)
    }
}
