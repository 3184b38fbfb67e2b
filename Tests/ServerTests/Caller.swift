import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Server
import Sessions
import Signing
import SigningService
import Synchronization
import Testing

/// Somebody who asks: with a session, with only a key, or with nothing.
final class Caller: Sendable {
    let key: PrivateKey?
    let token: String?
    let refreshToken: String?
    let server: TestServer
    private let nonce = Mutex<String?>(nil)

    init(_ server: TestServer, key: PrivateKey? = nil, token: String? = nil, refreshToken: String? = nil) {
        self.server = server
        self.key = key
        self.token = token
        self.refreshToken = refreshToken
    }

    /// The service's newest nonce that it was told.
    var newestNonce: String? { nonce.withLock { $0 } }

    /// One request; where the service wants a nonce, once more with it.
    func ask(_ method: String, _ path: String, _ fields: [String] = [], body: String? = nil) async throws -> Answer {
        let answer = try await once(method, path, fields, body)
        guard answer.status == 401, answer.body.contains("use_dpop_nonce") else { return answer }
        return try await once(method, path, fields, body)
    }

    /// A form, as the token endpoint takes it.
    func form(_ path: String, _ body: String) async throws -> Answer {
        let type = "application/x-www-form-urlencoded"
        let answer = try await once("POST", path, [], body, type: type)
        guard answer.status == 401, answer.body.contains("use_dpop_nonce") else { return answer }
        return try await once("POST", path, [], body, type: type)
    }

    /// One request.
    func once(
        _ method: String, _ path: String, _ fields: [String] = [], _ body: String? = nil,
        type: String = "application/json"
    ) async throws -> Answer {
        let answer = try await server.ask(method, path, try credentials(method, path) + fields, body: body, type: type)
        if let next = answer.field("DPoP-Nonce") { nonce.withLock { $0 = next } }
        return answer
    }

    /// The fields that say who asks.
    func credentials(_ method: String, _ path: String) throws -> [String] {
        var fields: [String] = []
        if let token { fields.append("Authorization: \(key == nil ? "Bearer" : "DPoP") \(token)") }
        if key != nil { fields.append(try proof(method, path, of: token, nonce: newestNonce)) }
        return fields
    }

    /// The field with a proof of the caller's key.
    func proof(_ method: String, _ path: String, of token: String?, nonce: String?) throws -> String {
        let bare = path.split(separator: "?").first.map(String.init) ?? path
        let proof = try DPoPProof.sign(
            method: method, url: TestServer.origin + bare, accessToken: token, nonce: nonce, at: server.clock.now(),
            with: #require(key))
        return "DPoP: \(proof)"
    }
}

extension TestServer {
    var anonymous: Caller { Caller(self) }

    /// A person on a device, logged in.
    func person(_ name: String) async throws -> Caller {
        try await engine.addUser(SigningEngine.userName(name), password: nil)
        return try await device(of: name)
    }

    /// A person on one more device, logged in.
    func device(of name: String) async throws -> Caller {
        let user = try SigningEngine.userName(name)
        let code = try await engine.makeActivationCode(for: user).code
        let key = try PrivateKey(generating: .es256)
        let password = SecretBytes(copying: Array(Self.password.utf8).span)
        let grant = try await engine.enrol(
            user: user, code: code, password: password, deviceName: "Laptop", key: key.publicKey)
        return Caller(self, key: key, token: grant.accessToken.text, refreshToken: grant.refreshToken?.text)
    }

    func operatorCaller() async throws -> Caller {
        let key = try PrivateKey(generating: .es256)
        let grant = try await engine.logInOperator(engine.makeOperatorToken(), key: key.publicKey)
        return Caller(self, key: key, token: grant.accessToken.text)
    }

    /// The session of an operator, for what is asked of the engine itself.
    func operatorSession() async throws -> Session {
        try await engine.logInOperator(engine.makeOperatorToken(), key: PrivateKey(generating: .es256).publicKey)
            .session
    }

    /// A relying service with a bearer token.
    func relyingService(_ name: String) async throws -> Caller {
        let client = try #require(ClientName(name))
        let added = try await engine.addClient(client, credential: .generatedSecret)
        let grant = try await engine.logInClient(client, secret: added.secret)
        return Caller(self, token: grant.accessToken.text)
    }
}
