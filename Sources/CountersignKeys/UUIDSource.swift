internal import Synchronization

/// Random UUIDs (RFC 9562, version 4), in runs: those of a run have their first 32 bits in common. An index of a store grows in one
/// place for a whole run, instead of in as many places as there are ids, each of which would be written to the disk.
///
/// Each is as random as one made alone, for whoever has not seen others of its run; then 90 bits are left.
package final class UUIDSource: Sendable {
    private static let runLength = 128

    private struct Run {
        /// The first bytes of the next one are here, the common ones left out.
        var position = 0
        var common: [UInt8] = []
        var others: [UInt8] = []
    }

    private let run = Mutex(Run())

    package init() {}

    /// A UUID in lower case that nobody else has.
    package func next() throws(KeyError) -> String {
        let bytes = try run.withLock { run throws(KeyError) in
            if run.position == run.others.count {
                run = Run(common: try SecureRandom.bytes(4), others: try SecureRandom.bytes(12 * Self.runLength))
            }
            defer { run.position += 12 }
            return run.common + run.others[run.position..<run.position + 12]
        }
        return UUIDFormat.text(bytes)
    }
}
