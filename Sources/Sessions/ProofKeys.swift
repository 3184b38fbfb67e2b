import CountersignJOSE
import Synchronization

/// Keys of proofs that were read before. Every call of a device brings its key again, and reading it costs half as much as
/// the signature; the header is the same text each time, so the text finds the key.
///
/// Nothing is trusted for being here: a key is only what a header says, whoever wrote it. Two generations of bounded size,
/// so that keys that nobody uses any more make room.
package final class ProofKeys: Sendable {
    private struct State {
        var newest: [[UInt8]: JWK] = [:]
        var older: [[UInt8]: JWK] = [:]

        mutating func keep(_ key: JWK, _ header: [UInt8], _ limit: Int) {
            if newest.count >= limit {
                older = newest
                newest = [:]
            }
            newest[header] = key
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// No keys yet, and at most `limit` at a time; each takes about two kilobytes.
    package init(limit: Int = 2_048) {
        self.limit = limit
    }

    /// The key of a header that was kept with exactly these bytes.
    func key(of header: [UInt8]) -> JWK? {
        state.withLock { state in
            if let key = state.newest[header] { return key }
            guard let key = state.older[header] else { return nil }
            state.keep(key, header, limit / 2)
            return key
        }
    }

    /// Keeps the key of a header all of whose checks were passed, its proof's signature too.
    func keep(_ key: JWK, of header: [UInt8]) {
        state.withLock { $0.keep(key, header, limit / 2) }
    }

    /// How many keys there are at the moment; one that moves to the newer generation counts twice.
    package var count: Int { state.withLock { $0.newest.count + $0.older.count } }
}
