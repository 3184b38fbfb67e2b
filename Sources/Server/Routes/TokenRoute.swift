internal import CountersignJOSE
internal import CountersignKeys
internal import HTTPTypes
internal import Sessions
internal import Signing
internal import SigningService
internal import Storage
internal import Wire

extension Service {
    /// The token endpoint (RFC 6749 section 3.2).
    static let tokenRoute = Route(
        method: .post, path: PathPattern("/v1/token"), name: "token",
        summary: "Refreshes a session, or logs a relying service in", access: .holdersOfGrant,
        input: .form(TokenRequest.shape), answer: .json(GrantMessage.shape), isIdempotencyKeyTaken: true,
        refusals: [.grantInvalid, .grantTypeUnsupported, .clientInvalid, .proofMissing]
    ) { call in
        let request = try TokenRequest.parse(call.body)
        return try await call.answer({ GrantMessage($0) }) { once in
            switch request.grant {
            case .refresh(let token): try await call.refresh(token, once)
            case .clientCredentials: try await call.logInClient(request, once)
            }
        }
    }
}

extension Call {
    fileprivate func refresh(_ token: String, _ once: Once<SessionGrant>?) async throws -> SessionGrant {
        // Every session that can be refreshed is bound to a key.
        let thumbprint = try proof().thumbprint
        guard let token = SessionToken(token, .refresh) else { throw Refusal(.grantInvalid) }
        return try await service.engine.refresh(token, thumbprint: thumbprint, once: once)
    }

    fileprivate func logInClient(_ request: TokenRequest, _ once: Once<SessionGrant>?) async throws -> SessionGrant {
        var thumbprint: String?
        if case .holder(let proof) = principal { thumbprint = proof.thumbprint }
        let basic = try basicCredentials()
        let ways = [basic != nil, request.secret != nil, request.assertion != nil].count { $0 }
        // RFC 6749 section 2.3: one way in a request.
        guard ways <= 1 else { throw Refusal(.requestMalformed) }
        if let assertion = request.assertion {
            return try await logInClient(assertion: assertion, named: request.client, thumbprint, once)
        }
        if let basic, let named = request.client, !named.utf8.elementsEqual(basic.client.utf8) {
            throw Refusal(.clientInvalid)
        }
        return try await service.engine.logInClient(
            (basic?.client ?? request.client).flatMap { ClientName($0) },
            secret: (basic?.secret ?? request.secret).flatMap { SessionToken($0, .clientSecret) },
            thumbprint: thumbprint, once: once)
    }

    private func logInClient(
        assertion text: String, named: String?, _ thumbprint: String?, _ once: Once<SessionGrant>?
    ) async throws -> SessionGrant {
        let bytes = Array(text.utf8)
        let name = ClientAssertion.claimedClient(bytes)
        if let named, let name, !named.utf8.elementsEqual(name.text.utf8) { throw Refusal(.clientInvalid) }
        let issuer = try await service.engine.facts().issuer
        let origin = service.origin
        // An assertion counts once, after a restart too: the session that it begins is kept under its name, and nothing else.
        let used: Once<SessionGrant>? = Self.assertionID(bytes).map { id in
            Once(owner: "assertion \(name?.text ?? "")", key: id, digest: SHA256.hash(bytes.span)) { _ in
                .body(status: 204, [])
            }
        }
        guard let used else { throw Refusal(.clientInvalid) }
        do {
            return try await service.engine.logInClient(name, thumbprint: thumbprint, once: used) { key in
                _ = try ClientAssertion.parse(
                    bytes, key: key, audience: "\(origin)/v1/token", issuer, client: name?.text ?? "", at: now)
            }
        } catch let error as StorageError where error.code == .constraint {
            throw Refusal(.clientInvalid)
        }
    }

    /// The `jti` of an assertion that is not verified yet.
    private static func assertionID(_ text: [UInt8]) -> String? {
        let parts = try? JWSParts(text, maxBytes: ClientAssertion.maxBytes)
        let claims = parts.flatMap { try? JSON(parsing: $0.payload, maxBytes: ClientAssertion.maxBytes).object }
        let id = claims?["jti"]?.string
        return id.flatMap { (1...ClientAssertion.maxIDBytes).contains($0.utf8.count) ? $0 : nil }
    }

    private func basicCredentials() throws(Refusal) -> BasicCredentials? {
        let values = fields[values: .authorization]
        guard let value = values.first else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard values.count == 1, parts.count == 2, parts[0].lowercased() == "basic",
            let credentials = BasicCredentials(String(parts[1]))
        else { throw Refusal(.clientInvalid) }
        return credentials
    }
}
