internal import CountersignKeys
internal import CountersignVerifier
internal import Signing
internal import Storage

extension SigningEngine {
    /// What was answered to a request of this name in the last 24 hours; nil where it is new.
    ///
    /// - Throws: `idempotencyMismatch` where the name stands for another request.
    package func keptReply(owner: String, key: String, digest: [UInt8]) async throws -> KeptReply? {
        let clock = clock
        let row = try await database.read { connection in
            let since = try Transaction(connection, clock: clock).firstKept
            return try ReplyRow.find(owner: owner, key: key, since: since, on: connection)
        }
        guard let row else { return nil }
        let tag = try masterKey.requestTag(digest)
        guard constantTimeEqual(row.digest.span, tag.span) else { throw Refusal(.idempotencyMismatch) }
        switch row.content {
        case .ceremony(let id):
            guard let id = UUIDText(id) else { throw StorageError(.corrupt, "a kept reply names no ceremony") }
            return .signing(id)
        case .body(let status, let sealed):
            return .body(status: status, try masterKey.openReply(sealed, owner: owner, key: key, status: status))
        }
    }

    /// Runs a transaction whose value is kept as the answer to a request.
    func write<T: Sendable>(
        _ once: Once<T>?, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        let masterKey = masterKey
        return try await write { transaction in
            try transaction.begin(once)
            let value = try body(transaction)
            try transaction.keep(value, once, masterKey)
            return value
        }
    }
}

extension Transaction {
    /// The first moment whose replies are still kept.
    var firstKept: Int64 { now.saturatingAdd(-KeptReply.life) }

    /// Makes sure that a request was not answered yet: before anything else, since what it did would be refused now.
    ///
    /// - Throws: `StorageError.Code.constraint`.
    func begin<T>(_ once: Once<T>?) throws {
        guard let once else { return }
        guard try ReplyRow.find(owner: once.owner, key: once.key, since: firstKept, on: connection) == nil else {
            throw StorageError(.constraint, "this request was answered already")
        }
    }

    /// Keeps the answer to a request, which is asked for only then.
    func keep<T>(_ value: @autoclosure () throws -> T, _ once: Once<T>?, _ masterKey: AEADKey) throws {
        guard let once else { return }
        try keep(once.reply(value()), once, masterKey)
    }

    /// Keeps a refusal that cost something, so that the same request again does not cost it twice.
    func keep<T>(refusal: Refusal, _ once: Once<T>?, _ masterKey: AEADKey) throws {
        guard let once, let refused = once.refused else { return }
        try keep(refused(refusal), once, masterKey)
    }

    private func keep<T>(_ reply: KeptReply, _ once: Once<T>, _ masterKey: AEADKey) throws {
        let content: ReplyRow.Content =
            switch reply {
            case .signing(let id): .ceremony(id.text)
            case .body(let status, let body):
                .body(
                    status: status,
                    sealed: try masterKey.sealReply(body, owner: once.owner, key: once.key, status: status))
            }
        let tag = try once.tag ?? masterKey.requestTag(once.digest)
        try ReplyRow(owner: once.owner, key: once.key, digest: tag, content: content, at: now)
            .insert(replacing: firstKept, on: connection)
        // More than one for the one that comes: also where nobody ever logs in, the old ones go.
        try ReplyRow.delete(before: firstKept, limit: 4, on: connection)
    }
}

extension AEADKey {
    /// A request's digest as the store keeps it. The request may hold a password or an activation code: by the digest alone,
    /// whoever has a copy of the store could try them as fast as SHA-256 is.
    fileprivate func requestTag(_ digest: [UInt8]) throws(KeyError) -> [UInt8] {
        try requestKey().hmacSHA256(digest.span)
    }

    /// The key of such tags.
    func requestKey() throws(KeyError) -> MACKey {
        try derive("countersign requests")
    }

    /// A body as the store keeps it, bound to its request: it may hold tokens.
    fileprivate func sealReply(_ body: [UInt8], owner: String, key: String, status: Int) throws -> [UInt8] {
        try seal(body.span, binding: Self.replyBinding(owner, key, status).span)
    }

    fileprivate func openReply(_ sealed: [UInt8], owner: String, key: String, status: Int) throws -> [UInt8] {
        do {
            return try open(sealed.span, binding: Self.replyBinding(owner, key, status).span).withBytes { bytes in
                bytes.indices.map { bytes[$0] }
            }
        } catch {
            throw StorageError(.corrupt, "a kept reply cannot be opened (\(error.detail))")
        }
    }

    private static func replyBinding(_ owner: String, _ key: String, _ status: Int) -> [UInt8] {
        Array("countersign reply \(owner.utf8.count) \(owner) \(key.utf8.count) \(key) \(status)".utf8)
    }
}
