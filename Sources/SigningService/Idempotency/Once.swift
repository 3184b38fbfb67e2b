internal import CountersignKeys
package import CountersignVerifier
package import Signing

/// A request that names itself, so that it happens once however often it comes (`Idempotency-Key`).
///
/// Its answer is kept in the transaction of its effect. A method that finds the name taken throws `StorageError.Code.constraint` and
/// has done nothing: whoever called it asks for the kept answer then.
package struct Once<Value: Sendable>: Sendable {
    let owner: String
    let key: String
    let digest: [UInt8]
    let reply: @Sendable (Value) throws -> KeptReply
    let refused: (@Sendable (Refusal) throws -> KeptReply)?
    /// The digest as the store has it, where it was made already.
    private(set) var tag: [UInt8]?

    /// - Parameters:
    ///   - owner: who asks, 1 to 256 characters: the keys of two owners have nothing to do with each other.
    ///   - key: the name, 1 to 128 characters.
    ///   - digest: SHA-256 of method, path and body. The store has it under a key.
    ///   - refused: what is kept of a refusal that cost something, such as a wrong password its attempt; nil: nothing.
    ///   - reply: what is kept of the value. Both may run more than once.
    package init(
        owner: String, key: String, digest: [UInt8], refused: (@Sendable (Refusal) throws -> KeptReply)? = nil,
        reply: @escaping @Sendable (Value) throws -> KeptReply
    ) {
        self.owner = owner
        self.key = key
        self.digest = digest
        self.refused = refused
        self.reply = reply
    }

    /// The same with its tag: made before a transaction that others wait for.
    func tagged(by key: MACKey) throws(KeyError) -> Once {
        var once = self
        once.tag = try key.hmacSHA256(digest.span)
        return once
    }
}

/// What was answered to a request.
package enum KeptReply: Sendable, Hashable {
    /// A status and a body, which is sealed in the store.
    case body(status: Int, [UInt8])
    /// A ceremony, as it is when it is asked for.
    case signing(UUIDText)

    /// How long it is kept, in milliseconds.
    package static let life: Int64 = 86_400_000
}
