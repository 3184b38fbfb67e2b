import CountersignJOSE
import CountersignKeys

extension DPoPProofTests {
    private static func header(_ name: String, _ value: JSON?) -> Spoilt {
        let text = value.map { String(decoding: $0.canonical().prefix(40), as: UTF8.self) } ?? "missing"
        return Spoilt("header \(name): \(text)", name) { $0.header[name] = value }
    }

    private static func claim(_ name: String, _ value: JSON?) -> Spoilt {
        let text = value.map { String(decoding: $0.canonical().prefix(60), as: UTF8.self) } ?? "missing"
        return Spoilt("claim \(name): \(text)", name) { $0.claims[name] = value }
    }

    private static func jwk(_ what: String, _ change: @escaping @Sendable (inout JSONObject) throws -> Void) -> Spoilt {
        Spoilt("jwk with \(what)", "jwk") { draft in
            var object = draft.header["jwk"]?.object ?? JSONObject()
            try change(&object)
            draft.header["jwk"] = .object(object)
        }
    }

    /// Wrong in itself, whatever the request.
    static let forms: [Spoilt] = types + algorithmRows + keys + members + claimRows + signatures

    private static let types: [Spoilt] =
        ["JWT", "DPOP+JWT", "dpop+jwt ", "application/dpop+jwt", "countersign+jwt", ""].map {
            header("typ", .string($0))
        }
        + [header("typ", nil), header("typ", .null), header("typ", .array([.string("dpop+jwt")]))]

    private static let algorithmRows: [Spoilt] =
        ["none", "None", "HS256", "es256", "ES256K", "Ed25519", "ES512", ""].map { header("alg", .string($0)) }
        + [header("alg", nil), header("alg", .number(JSONNumber(7)))]
        + ["ES384", "PS256", "RS256"].map { header("alg", .string($0)) }
        + [header("alg", .string("EdDSA"))]

    private static let keys: [Spoilt] = [
        header("jwk", nil), header("jwk", .null), header("jwk", .string("{}")), header("jwk", .object(JSONObject())),
        jwk("a private member") { $0["d"] = .string("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA") },
        jwk("an empty private member") { $0["d"] = .null },
        jwk("a secret") { $0["k"] = .string("AAAA") },
        jwk("a symmetric type") { $0["kty"] = .string("oct") },
        jwk("another use") { $0["use"] = .string("enc") },
        jwk("a point that is not on the curve") { $0["x"] = $0["y"] },
        jwk("another curve") { $0["crv"] = .string("P-384") },
        jwk("another algorithm") { $0["alg"] = .string("ES384") },
        jwk("a kid that is not its thumbprint") { $0["kid"] = .string("mine") },
        jwk("an end") { $0["exp"] = .number(JSONNumber(1)) },
        Spoilt("another key than the one that signs", nil) {
            $0.header["jwk"] = ProofDraft.jwk(try TestKeys.other.get().publicKey)
        },
        Spoilt("a key of another type than alg says", "alg") {
            $0.header["jwk"] = ProofDraft.jwk(try TestKeys.edwards.get().publicKey)
        },
        Spoilt("a P-384 key with alg ES256", "alg") {
            $0.header["jwk"] = ProofDraft.jwk(try TestKeys.p384.get().publicKey)
        },
    ]

    private static let members: [Spoilt] =
        ["jku", "x5u", "x5c", "x5t", "x5t#S256", "crit", "b64", "zip"].map {
            header($0, .array([.string("exp")])).unnamed
        } + [header("kid", .string("a")), header("cty", .string("a")), header("nonce", .string("a"))] + [
            Spoilt("a member of the header twice", nil) {
                $0.headerText = #"{"typ":"dpop+jwt","alg":"ES256","typ":"dpop+jwt"}"#
            },
            Spoilt("a header that is no object", nil) { $0.headerText = #"["dpop+jwt"]"# },
            Spoilt("a header that is no JSON", nil) { $0.headerText = "{" },
        ]

    private static let claimRows: [Spoilt] =
        ["jti", "htm", "htu", "iat"].map { claim($0, nil) }
        + ["jti", "htm", "htu", "ath", "nonce"].flatMap { name in
            [
                claim(name, .string("")), claim(name, .null), claim(name, .number(JSONNumber(1))),
                claim(name, .array([])),
            ]
        }
        + [claim("jti", .string(String(repeating: "j", count: 129)))]
        + [claim("iat", .string("1767225600")), claim("iat", .null)]
        + ["exp", "nbf", "sub", "acr", "Htm", "htu "].map { claim($0, .string("x")) }
        + ["1767225600.0", "1.7672256e9", "-0", "99999999999999999999"].map { number in
            Spoilt("iat \(number)", "iat") {
                $0.claimsText = #"{"jti":"a","htm":"POST","htu":"https://a","iat":\#(number)}"#
            }
        }
        + [
            Spoilt("a claim twice", nil) {
                $0.claimsText = #"{"jti":"a","htm":"GET","htm":"POST","htu":"\#(ProofDraft.url)","iat":1767225600}"#
            },
            Spoilt("claims that are no object", nil) { $0.claimsText = #""htm""# },
            Spoilt("claims that are no JSON", nil) { $0.claimsText = "htm=POST" },
            Spoilt("claims that are nested deeply", nil) { $0.claimsText = String(repeating: "[", count: 500) },
        ]

    private static let signatures: [Spoilt] = [
        Spoilt("the signature of another key", nil) { $0.key = try TestKeys.other.get() },
        Spoilt("the signature of another algorithm", nil) { $0.key = try TestKeys.edwards.get() },
    ]

    /// Right in itself, for another request.
    static let requests: [Spoilt] =
        ["GET", "post", "POST ", "PUT"].map { claim("htm", .string($0)) }
        + [
            "http://sign.example.org/v1/signings", "HTTPS://sign.example.org/v1/signings",
            "https://SIGN.example.org/v1/signings", "https://sign.example.org:443/v1/signings",
            "https://sign.example.org./v1/signings", "https://sign.example.org/v1/signings/",
            "https://sign.example.org//v1/signings", "https://sign.example.org/v1/./signings",
            "https://sign.example.org/v1/Signings", "https://sign.example.org/v1/signing%73",
            "https://sign.example.org/v1/signings?", "https://sign.example.org/v1/signings?a=b",
            "https://sign.example.org/v1/signings#", "https://sign.example.org/v1/signings#a",
            "https://user@sign.example.org/v1/signings", "https://sign.example.org@evil.example/v1/signings",
            "https://evil.example/v1/signings", "https://sign.example.org.evil.example/v1/signings",
            "//sign.example.org/v1/signings", "/v1/signings", " https://sign.example.org/v1/signings",
            "https://sign.example.org/v1/signings\u{0}", "https://sign.example.org/v1/users",
        ].map { claim("htu", .string($0)) }
        + [
            claim("ath", nil), claim("ath", .string(ProofDraft.token)),
            claim("ath", .string("47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU")),
            claim("ath", .string("47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=")),
        ]
        + [1_767_225_600 - 301, 1_767_225_600 + 301, 0, -1_767_225_600].map {
            claim("iat", .number(JSONNumber(Int64($0))))
        }
}

extension Spoilt {
    /// The same, refused without a member's name.
    fileprivate var unnamed: Spoilt { Spoilt(name, nil, spoil) }
}
