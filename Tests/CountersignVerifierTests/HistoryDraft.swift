import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Testing

/// A key history in the making, as text, so that every part of it can be wrong and still rightly signed.
struct HistoryDraft: Sendable {
    var header = #"{"alg":"ALG","kid":"KID","typ":"countersign-keys+jwt"}"#
    /// That of the statements in the making.
    var issuer = #""urn:uuid:7e0f6d2e-98a8-4a3f-a6e2-0b1f5c1d2e3f""#
    var issuedAt = "1767000000"
    var expiresAt = "1800000000"
    var serial = "1"
    var root: String
    var keys: [String]
    /// What stands in the place of the claims, if it is not made of the above.
    var claims: String?

    /// The JSON of a public key, as the history has it.
    static func jwk(_ key: PrivateKey) -> String { String(decoding: JWK(key.publicKey).json, as: UTF8.self) }

    /// An element of `keys`; `rest` is what follows `nbf`.
    static func element(_ key: PrivateKey, from start: Int64 = 0, _ rest: String = "") -> String {
        #"{"jwk":\#(jwk(key)),"nbf":\#(start)\#(rest)}"#
    }

    init(_ elements: [String]) throws {
        root = Self.jwk(try Keys.root())
        keys = elements
    }

    /// A history of the trusted ES256 key, which is in use.
    static func example() throws -> HistoryDraft { try HistoryDraft([element(Keys.trusted(.es256))]) }

    var json: String {
        claims
            ?? #"{"iss":\#(issuer),"iat":\#(issuedAt),"exp":\#(expiresAt),"serial":\#(serial),"root":\#(root),"keys":[\#(keys.joined(separator: ","))]}"#
    }

    func text(_ key: PrivateKey? = nil) throws -> [UInt8] {
        let key = try key ?? Keys.root()
        let header = header.replacing("KID", with: key.keyID).replacing("ALG", with: key.algorithm.rawValue)
        return try Compact.text(header: Array(header.utf8), payload: Array(json.utf8), key)
    }

    func refusal() throws -> TrustError.Code? {
        try CountersignVerifierTests.refusal(of: text(), root: Keys.root().keyID)
    }

    /// What a verifier that trusts this history says of a statement.
    func code(_ draft: Draft, _ key: PrivateKey? = nil, at now: Int64 = Judge.now) throws -> String {
        let trust = try TrustStore(text(), root: Keys.root().keyID)
        return StatementVerifier(trust: trust, policy: Judge.lenient).verify(try draft.text(key), at: now).code
    }
}
