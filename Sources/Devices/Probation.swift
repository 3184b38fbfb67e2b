internal import Signing

/// For how long a newly activated device may neither sign nor approve.
package struct Probation: Sendable, Hashable {
    /// In milliseconds; 0: there is none.
    package var length: Int64

    /// So long.
    package init(length: Int64) { self.length = length }

    /// None.
    package static let none = Probation(length: 0)

    /// The end of the probation that a device is on now; nil: it may sign and approve.
    ///
    /// - Parameter activatedAt: when it was let in, milliseconds since 1970 like all times here.
    package func end(activatedAt: Int64, at now: Int64) -> Int64? {
        let end = activatedAt.saturatingAdd(length)
        return length > 0 && now < end ? end : nil
    }
}
