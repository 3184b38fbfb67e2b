import CountersignJOSE
import CountersignKeys
import Sessions
import Signing

/// A proof in the making: right as it is, and to be spoilt by the test.
struct ProofDraft {
    static let now: Int64 = 1_767_225_600_000
    static let url = "https://sign.example.org/v1/signings"
    static let token = "csa_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    /// What the request is, for ``DPoPProof/check(method:url:accessToken:at:)``.
    var accessToken: String?
    var header = JSONObject()
    var claims = JSONObject()
    /// Instead of the members above, where they cannot say it.
    var headerText: String?
    var claimsText: String?
    /// What signs.
    var key: PrivateKey

    init(key: PrivateKey, accessToken: String? = nil) {
        self.key = key
        self.accessToken = accessToken
        header["typ"] = .string("dpop+jwt")
        header["alg"] = .string(key.algorithm.rawValue)
        header["jwk"] = Self.jwk(key.publicKey)
        claims["jti"] = .string("e1j3V_bKic8-LAEB")
        claims["htm"] = .string("POST")
        claims["htu"] = .string(Self.url)
        claims["iat"] = .number(JSONNumber(Self.now / 1_000))
        if let accessToken {
            let hash = SHA256.hash(accessToken.utf8.span)
            claims["ath"] = .string(Base64URL.encode(hash.span))
        }
    }

    /// The proof.
    func text() throws(KeyError) -> [UInt8] {
        let header = headerText.map { Array($0.utf8) } ?? JSON.object(header).canonical()
        let claims = claimsText.map { Array($0.utf8) } ?? JSON.object(claims).canonical()
        return try CompactJWS.sign(claims, header: header, with: key.makeSigner())
    }

    /// What becomes of it: nil where it is accepted for the request.
    func refusal(at now: Int64 = Self.now) throws(KeyError) -> Refusal? {
        Self.refusal(try text(), accessToken: accessToken, at: now)
    }

    /// What becomes of a text: nil where it is accepted for the request.
    static func refusal(_ text: [UInt8], accessToken: String? = nil, at now: Int64 = Self.now) -> Refusal? {
        do throws(Refusal) {
            try DPoPProof.parse(text).check(method: "POST", url: url, accessToken: accessToken, at: now)
            return nil
        } catch {
            return error
        }
    }

    static func jwk(_ key: PublicKey) -> JSON {
        var writer = JSONWriter()
        Thumbprint.write(key, to: &writer)
        return (try? JSON(parsing: writer.bytes, maxBytes: writer.bytes.count)) ?? .null
    }
}

/// Keys that cost time to make are made once.
enum TestKeys {
    static let device = Result { () throws(KeyError) in try PrivateKey(generating: .es256) }
    static let other = Result { () throws(KeyError) in try PrivateKey(generating: .es256) }
    static let edwards = Result { () throws(KeyError) in try PrivateKey(generating: .edDSA) }
    static let p384 = Result { () throws(KeyError) in try PrivateKey(generating: .es384) }
    static let rsa = Result { () throws(KeyError) in try PrivateKey(generating: .rs256, rsaBits: 2_048) }
}
