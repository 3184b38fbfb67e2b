internal import CountersignJOSE
package import CountersignKeys
internal import Synchronization

/// The token by which this service shows Apple's push service who it is: ES256, of the key that Apple gave (p8).
package final class ProviderToken: Sendable {
    /// For how long one is used, in milliseconds. Apple refuses one of more than an hour, and whoever makes one more often than every
    /// 20 minutes.
    private static let life: Int64 = 50 * 60_000

    private let key: PrivateKey
    private let keyID: String
    private let team: String
    private let now: @Sendable () -> Int64
    private let current = Mutex<(text: String, madeAt: Int64)?>(nil)

    /// - Parameters:
    ///   - key: ES256.
    ///   - keyID: what Apple calls it.
    ///   - team: Apple's name of the account.
    ///   - now: milliseconds since 1970.
    /// - Throws: `algorithmMismatch` for another algorithm.
    package init(
        key: PrivateKey, keyID: String, team: String, now: @escaping @Sendable () -> Int64
    ) throws(KeyError) {
        guard key.algorithm == .es256 else {
            throw KeyError(.algorithmMismatch, "a provider token is signed with ES256")
        }
        self.key = key
        self.keyID = keyID
        self.team = team
        self.now = now
    }

    /// The token of now.
    package func text() throws(KeyError) -> String {
        let time = now()
        let known = current.withLock { $0 }
        // Also where the clock was set back: Apple's was not.
        if let known, time >= known.madeAt, time - known.madeAt < Self.life { return known.text }
        let made = try make(at: time)
        current.withLock { $0 = (made, time) }
        return made
    }

    /// Throws one away that Apple does not take any more: the next is a new one, unless another took its place already.
    package func expire(_ text: String) {
        current.withLock { current in
            if let known = current, known.text.utf8.elementsEqual(text.utf8) { current = nil }
        }
    }

    private func make(at time: Int64) throws(KeyError) -> String {
        var header = JSONWriter(capacity: 64)
        header.beginObject()
        header.member(name: "alg", string: key.algorithm.rawValue)
        header.member(name: "kid", string: keyID)
        header.endObject()
        var claims = JSONWriter(capacity: 64)
        claims.beginObject()
        claims.member(name: "iss", string: team)
        claims.member(name: "iat", integer: time / 1000)
        claims.endObject()
        return String(
            decoding: try CompactJWS.sign(claims.bytes, header: header.bytes, with: key.makeSigner()), as: UTF8.self)
    }
}
