internal import CountersignKeys
internal import HTTPTypes
internal import Sessions
internal import Signing
internal import SigningService

/// Finds out who asks: access tokens (RFC 6750), and proofs of possession (RFC 9449).
struct Authenticator: Sendable {
    /// How a request presents its token.
    enum Scheme {
        case dpop
        case bearer
    }

    let engine: SigningEngine
    /// Scheme, host and port that clients know: what proofs name, never what the request's `Host` says.
    let origin: KnownOrigin
    let nonces: NonceSource
    /// The proofs that came with a token. One is never of both kinds: `ath` says which.
    private let proofs = ReplayWindow()
    /// Those that came without: whoever makes up keys, of which there is no end, fills no room of those who have a session.
    private let bareProofs = ReplayWindow()

    init(engine: SigningEngine, origin: KnownOrigin) throws(KeyError) {
        self.engine = engine
        self.origin = origin
        nonces = try NonceSource()
    }

    /// Who asks at this route.
    ///
    /// - Parameters:
    ///   - method: as it was written: a HEAD has its own proof (RFC 9449 section 4.3), though a GET's route.
    ///   - path: as it was written.
    ///   - now: milliseconds since 1970.
    func principal(
        _ fields: HTTPFields, _ route: Route, method: HTTPRequest.Method, path: Substring, at now: Int64
    ) async throws -> Principal {
        switch route.access {
        case .everyone, .observers: return .nobody
        case .holdersOfKey: return .holder(try proof(fields, method, path, token: nil, at: now))
        case .holdersOfGrant:
            guard fields.contains(.dpop) else { return .nobody }
            return .holder(try proof(fields, method, path, token: nil, at: now))
        case .sessions(let roles):
            let session = try await session(fields, method, path, at: now)
            guard roles.contains(session.role) else { throw Refusal(.scopeInsufficient) }
            return .session(session)
        }
    }

    /// The session of a bearer token, as it was a moment ago, and the hash of the token.
    func presumed(_ fields: HTTPFields) -> (session: Session, access: [UInt8])? {
        guard case (.bearer, let text)? = try? Self.authorization(fields), !fields.contains(.dpop),
            let token = SessionToken(text, .access)
        else { return nil }
        return engine.presumedSession(token)
    }

    /// The session of the token, and of the key where the token is bound to one.
    private func session(
        _ fields: HTTPFields, _ method: HTTPRequest.Method, _ path: Substring, at now: Int64
    ) async throws -> Session {
        guard let (scheme, text) = try Self.authorization(fields) else { throw Refusal(.tokenMissing) }
        guard let token = SessionToken(text, .access) else { throw Refusal(.tokenInvalid) }
        // The token first: whoever has none costs no verification of a signature.
        let session = try await engine.session(token)
        switch (scheme, session.thumbprint) {
        case (.bearer, nil):
            guard !fields.contains(.dpop) else { throw Refusal(.tokenInvalid) }
            return session
        case (.dpop, let thumbprint?):
            _ = try proof(fields, method, path, token: text, of: thumbprint, at: now)
            return session
        // A bound token without its proof is of no use to whoever has it (RFC 9449 section 7.2).
        case (.bearer, _), (.dpop, nil): throw Refusal(.tokenInvalid)
        }
    }

    /// The one proof of a request, for this request, and not seen before.
    ///
    /// - Parameters:
    ///   - token: the access token that it goes with.
    ///   - thumbprint: the key that it must be of; nil: any.
    private func proof(
        _ fields: HTTPFields, _ method: HTTPRequest.Method, _ path: Substring, token: String?,
        of thumbprint: String? = nil, at now: Int64
    ) throws(Refusal) -> DPoPProof {
        let values = fields[values: .dpop]
        guard let text = values.first else { throw Refusal(.proofMissing) }
        guard values.count == 1 else { throw Refusal(.proofInvalid) }
        let proof = try DPoPProof.parse(Array(text.utf8))
        try proof.check(method: method.rawValue, url: origin.text + path, accessToken: token, at: now)
        guard thumbprint.map({ $0.utf8.elementsEqual(proof.thumbprint.utf8) }) ?? true else {
            throw Refusal(.tokenInvalid)
        }
        guard let nonce = proof.nonce, nonces.accepts(nonce, at: now) else { throw Refusal(.nonceNeeded) }
        switch (token == nil ? bareProofs : proofs).admit(thumbprint: proof.thumbprint, jti: proof.jti, at: now) {
        case .new:
            // A minute may have begun in between, and the window have forgotten what was used two before.
            guard nonces.accepts(nonce, at: now) else { throw Refusal(.nonceNeeded) }
            return proof
        case .replayed: throw Refusal(.proofReplayed)
        case .full: throw Refusal(.serverBusy, .retryAfter(seconds: 60))
        }
    }

    /// Scheme and token of the one `Authorization`; nil where there is none.
    static func authorization(_ fields: HTTPFields) throws(Refusal) -> (Scheme, String)? {
        let values = fields[values: .authorization]
        guard let value = values.first else { return nil }
        guard values.count == 1, let space = value.utf8.firstIndex(of: UInt8(ascii: " ")) else {
            throw Refusal(.tokenInvalid)
        }
        let token = String(value[value.utf8.index(after: space)...])
        switch value[..<space].lowercased() {
        case "dpop": return (.dpop, token)
        case "bearer": return (.bearer, token)
        default: throw Refusal(.tokenMissing)
        }
    }
}
