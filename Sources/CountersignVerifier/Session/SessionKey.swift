internal import CountersignKeys

/// A key that statements of a session named.
final class SessionKey {
    let id: String
    let trusted: TrustedKey
    let signatures: SignatureVerifier
    /// How many of its signatures wait to be checked.
    var waiting = 0
    /// Its table while they are checked, where it has one: nobody holds a table longer, so that one nobody uses can go.
    var table: SignatureTable?

    init(_ trusted: TrustedKey, id: String) {
        self.id = id
        self.trusted = trusted
        signatures = trusted.key.makeVerifier()
    }
}
