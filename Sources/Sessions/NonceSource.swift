import CountersignJOSE
package import CountersignKeys
import Synchronization

/// Makes the nonces that proofs must carry (RFC 9449 section 8), and knows them again without keeping them: a nonce is the
/// tag of its minute under a random key of this process. After a restart no older proof counts, which is why
/// ``ReplayWindow`` may live in memory.
package final class NonceSource: Sendable {
    /// How long a nonce is the current one, in milliseconds; for as long again it is accepted as the one before.
    package static let bucket: Int64 = 60_000

    private struct State {
        var key: MACKey
        /// The newest minute that was asked for.
        var newest: Int64 = .min / 2
    }

    private let state: Mutex<State>

    /// A source of its own random key.
    package init() throws(KeyError) {
        state = Mutex(State(key: try MACKey()))
    }

    /// The nonce to hand out, at `now` in milliseconds since 1970: 22 characters.
    package func current(at now: Int64) -> String {
        let (key, bucket) = place(now)
        return Self.nonce(bucket, key)
    }

    /// Whether a nonce is the current one or the one before.
    package func accepts(_ nonce: String, at now: Int64) -> Bool {
        guard nonce.utf8.count == 22 else { return false }
        let (key, bucket) = place(now)
        return [bucket, bucket &- 1].contains { bucket in
            constantTimeEqual(Self.nonce(bucket, key).utf8.span, nonce.utf8.span)
        }
    }

    /// The minute that counts now, and the key for it.
    ///
    /// A clock that was set back would bring old nonces back to life, whose proofs the replay window may have forgotten.
    /// So a little way back (threads that read the clock in another order than they come here) is not followed, and a
    /// longer way makes a new key: clients see one `use_dpop_nonce` more.
    private func place(_ now: Int64) -> (MACKey, Int64) {
        let bucket = now / Self.bucket
        return state.withLock { state in
            if bucket < state.newest - 1, let key = try? MACKey() {
                state = State(key: key, newest: bucket)
            }
            state.newest = max(state.newest, bucket)
            return (state.key, state.newest)
        }
    }

    private static func nonce(_ bucket: Int64, _ key: MACKey) -> String {
        let message = Array("nonce \(bucket)".utf8)
        // Fails only where OpenSSL has no memory; a nonce without its 22 characters is never accepted.
        guard let tag = try? key.hmacSHA256(message.span) else { return "" }
        return Base64URL.encode(tag.span.extracting(first: 16))
    }
}
