public import CountersignVerifier
internal import Wire

/// A relying service: a backend that signs at level 0 for users, where the service allows it, and sees what it asked for and nothing
/// else. Its statements have its name as `aud`.
///
/// ```swift
/// let shop = try RelyingService("shop", .secret(Secret(bytes: secret)), at: "https://sign.example.com")
/// let result = try await shop.sign(user: "alice", payload: "Order 17", reason: "Receipt")
/// ```
public final class RelyingService: Sendable {
    /// How it proves who it is.
    public enum Credential: Sendable {
        /// The secret that the operator got for it.
        case secret(Secret)
        /// The private key whose public half the operator added (`private_key_jwt`, RFC 7523): PKCS#8 in PEM.
        case key(pem: Secret, passcode: Secret? = nil)
    }

    let connection: ServiceConnection
    let authorizer: ClientAuthorizer

    /// A relying service.
    ///
    /// - Parameters:
    ///   - name: The name that the operator gave it.
    ///   - url: The service's URL.
    ///   - isBound: Whether its tokens are bound to a key that this object makes and forgets (DPoP): a stolen one is then useless.
    public convenience init(
        _ name: String, _ credential: Credential, at url: String, isBound: Bool = false,
        options: ServiceOptions = ServiceOptions()
    ) throws(ServiceError) {
        try self.init(
            name, credential, at: url, isBound: isBound, options: options, surroundings: Surroundings(options))
    }

    /// A relying service in given surroundings.
    package init(
        _ name: String, _ credential: Credential, at url: String, isBound: Bool, options: ServiceOptions,
        surroundings: Surroundings
    ) throws(ServiceError) {
        connection = try ServiceConnection(url, options, surroundings)
        authorizer = try ClientAuthorizer(name, credential, isBound: isBound, connection)
    }

    /// Signs a text for a user at level 0: nobody is asked.
    ///
    /// - Throws: `refused` with 214 where the service does not allow level 0.
    public func sign(user: String, payload: String, reason: String) async throws(ServiceError) -> SignedResult {
        let request = StartSigning(user: user, payload: payload, reason: reason, level: 0, authenticatorType: 0)
        let message: SigningMessage = try await connection.message(.post("/v1/signings", request), as: authorizer)
        try message.check(against: request, by: user)
        guard let result = message.result else { throw .protocolViolation("the service did not sign") }
        return result
    }

    /// Signs several texts for a user at level 0, all or nothing.
    ///
    /// - Parameters:
    ///   - payloads: 1 to 1,000, with 1 MiB in all at most.
    ///   - idempotencyKey: A name of this one batch: whoever asks again by it gets the same statements.
    /// - Returns: a result for each payload, in their order.
    /// - Throws: `refused` with 214 where the service does not allow level 0; where one payload breaks a rule, with its position.
    public func sign(
        user: String, batch payloads: [BatchItem], reason: String, idempotencyKey: String? = nil
    ) async throws(ServiceError) -> [BatchItem] {
        let request = StartBatch(
            user: user, payloads: payloads.map(\.message), reason: reason, level: 0, authenticatorType: 0)
        let message: SigningMessage = try await connection.message(
            .post("/v1/batches", request, key: idempotencyKey, maxBytes: BatchMessage.maxBytes), as: authorizer)
        try message.check(against: request, by: user)
        guard message.state == .signed, let batch = message.batch else {
            throw .protocolViolation("the service did not sign")
        }
        return batch.items.map(BatchItem.init)
    }

    /// The result of a signing that it asked for, by the id of its ceremony; nil while there is none.
    public func result(of ceremony: String) async throws(ServiceError) -> SignedResult? {
        let message: SigningMessage = try await connection.message(
            .get("/v1/signings/\(Call.segment(ceremony))"), as: authorizer)
        try message.check()
        return message.result
    }

    /// A page of the statements that it asked for, newest first.
    public func statements(
        _ filter: StatementFilter = StatementFilter(), startIndex: Int = 1, count: Int = 100
    ) async throws(ServiceError) -> [StatementRecord] {
        let statements: [StatementMessage] = try await connection.list(
            filter.call(startIndex: startIndex, count: count), as: authorizer)
        return statements.map(StatementRecord.init)
    }

    /// Ends the session. The next call begins another.
    public func logOut() async throws(ServiceError) {
        guard authorizer.hasToken else { return }
        try await connection.done(.delete("/v1/sessions/current"), as: authorizer)
        authorizer.forget()
    }
}
