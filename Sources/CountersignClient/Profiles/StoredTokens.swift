internal import CountersignJOSE
internal import CountersignKeys
internal import Signing
internal import Wire

/// `tokens.json` of a profile: the session of a device, and the newest nonce of the server.
struct StoredTokens: WireMessage {
    /// The access token.
    var accessToken: String?
    /// When it ends, milliseconds since 1970 by this machine's clock.
    var expiresAt: Int64?
    /// The refresh token, good for one refresh.
    var refreshToken: String?
    /// The id of the session.
    var session: String?
    /// The newest nonce of the server.
    var nonce: String?
    /// The `Idempotency-Key` of a refresh that was begun: one whose answer was lost goes on with it, so that the used
    /// refresh token is not taken for a stolen one.
    var pending: String?
    /// Whether the file has something else than tokens. Nobody is logged in then, until a log-in writes it anew.
    private(set) var isDamaged = false

    static let name = "tokens.json"
    static let maxBytes = 16_384

    init() {}

    /// What a file has that was damaged.
    static let damaged: StoredTokens = {
        var tokens = StoredTokens()
        tokens.isDamaged = true
        return tokens
    }()

    /// The tokens of a grant that came at `now`.
    init(_ grant: GrantMessage, nonce: String?, at now: Int64) {
        accessToken = grant.accessToken
        // A little early, so that none ends on its way.
        expiresAt = now + Int64(max(1, grant.expiresIn - min(20, grant.expiresIn / 4))) * 1000
        refreshToken = grant.refreshToken
        session = grant.session
        self.nonce = nonce
    }

    /// The access token, while it lives.
    func liveToken(at now: Int64) -> String? {
        guard let expiresAt, now < expiresAt else { return nil }
        return accessToken
    }

    static let shape = Shape(
        "Tokens",
        [
            .optional("accessToken", .line), .optional("expiresAt", .time), .optional("refreshToken", .line),
            .optional("session", .uuid), .optional("nonce", .line), .optional("pending", .line),
        ])

    init(_ members: Members) throws(Refusal) {
        accessToken = members.optionalString("accessToken")
        expiresAt = members.optionalInteger("expiresAt")
        refreshToken = members.optionalString("refreshToken")
        session = members.optionalString("session")
        nonce = members.optionalString("nonce")
        pending = members.optionalString("pending")
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if let accessToken { writer.member(name: "accessToken", string: accessToken) }
        if let expiresAt { writer.member(name: "expiresAt", integer: expiresAt) }
        if let refreshToken { writer.member(name: "refreshToken", string: refreshToken) }
        if let session { writer.member(name: "session", string: session) }
        if let nonce { writer.member(name: "nonce", string: nonce) }
        if let pending { writer.member(name: "pending", string: pending) }
        writer.endObject()
    }
}

extension PrivateFolder {
    /// The tokens of this profile; none where there is no file.
    func tokens() throws(ServiceError) -> StoredTokens {
        guard let bytes = try read(StoredTokens.name, limit: StoredTokens.maxBytes) else { return StoredTokens() }
        return parsed(bytes) ?? .damaged
    }

    /// Writes a message of this profile.
    func write(_ name: String, _ message: some WireMessage) throws(ServiceError) {
        var json = message.json
        json.append(UInt8(ascii: "\n"))
        let bytes = SecretBytes(copying: json.span)
        wipe(&json)
        try write(name, bytes)
    }

    /// A message of this profile; nil where the file is damaged.
    func parsed<Message: WireMessage>(_ bytes: SecretBytes) -> Message? {
        var text: [UInt8] = []
        bytes.withBytes { for index in $0.indices { text.append($0[index]) } }
        defer { wipe(&text) }
        return try? Message.parse(text)
    }
}
