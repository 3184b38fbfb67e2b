internal import Synchronization

/// Random UUIDs (RFC 9562, version 4), in runs: those of a run have their first 32 bits in common. An index of a store grows in one
/// place for a whole run, instead of in as many places as there are ids, each of which would be written to the disk.
///
/// Each is as random as one made alone, for whoever has not seen others of its run; then 90 bits are left.
package final class UUIDSource: Sendable {
    private static let runLength = 128

    private struct Run {
        /// The first byte of the next one is here.
        var position = 0
        var bytes: [UInt8] = []
    }

    private let run = Mutex(Run())

    package init() {}

    /// A UUID in lower case that nobody else has.
    package func next() throws(KeyError) -> String {
        let bytes = try run.withLock { run throws(KeyError) in
            if run.position == run.bytes.count {
                run = Run(bytes: try SecureRandom.bytes(16 * Self.runLength))
                for index in run.bytes.indices.dropFirst(16) where index % 16 < 4 {
                    run.bytes[index] = run.bytes[index % 16]
                }
            }
            defer { run.position += 16 }
            return Array(run.bytes[run.position..<run.position + 16])
        }
        return UUIDFormat.text(bytes)
    }
}
