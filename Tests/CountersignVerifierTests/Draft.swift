import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Testing

/// A statement in the making, as text: every part of it can be made wrong and then signed by a trusted key, so that only
/// what was made wrong can be the reason of a refusal.
struct Draft: Sendable {
    /// The header's JSON, in which `KID` stands for the thumbprint and `ALG` for the algorithm of the key.
    var header = #"{"alg":"ALG","kid":"KID","typ":"countersign+jwt"}"#
    /// Name and value of each claim, both as JSON.
    var members: [(name: String, value: String)]
    /// What stands in the place of the claims, if it is not made of `members`.
    var claims: [UInt8]?

    /// The example of docs/statement.md.
    static let example = Draft(members: [
        ("iss", #""urn:uuid:7e0f6d2e-98a8-4a3f-a6e2-0b1f5c1d2e3f""#), ("sub", #""alice""#), ("iat", "1767225600"),
        ("jti", #""0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a11""#), ("payload", #""Pay 5.00 EUR to Bob""#),
        ("reason", #""Invoice 17""#), ("auth_level", "1"), ("authenticator_type", "0"),
        ("acr", #""urn:countersign:level:1""#), ("amr", #"["pwd"]"#), ("auth_time", "1767225600"),
        ("ceremony", #""5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70""#),
    ])

    /// The example with every claim that there is.
    static let full = {
        var draft = example
        draft["aud"] = #""https://bank.example""#
        draft["device"] = #""9d3c1a52-0c7e-4b9f-a6f4-6a2f1b0c8d33""#
        for name in ["request", "notification", "template", "batch", "evidence"] { draft[name] = "\"\(name) 1\"" }
        draft["quorum"] = #""2/3""#
        return draft
    }()

    /// The example at another level, as consistent as the level allows.
    static func level(_ level: Int, type: Int? = nil) -> Draft {
        var draft = example
        draft["auth_level"] = "\(level)"
        draft["authenticator_type"] = "\(type ?? (level == 4 ? 1 : 0))"
        draft["acr"] = #""urn:countersign:level:\#(level)""#
        if level == 4 { draft["amr"] = #"["idv"]"# }
        if level == 0 {
            draft["amr"] = nil
            draft["auth_time"] = nil
        }
        return draft
    }

    /// The value of a claim as JSON. A new one is put where it belongs.
    subscript(name: String) -> String? {
        get { members.first { $0.name == name }?.value }
        set {
            let place = members.firstIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?):
                let next = members.firstIndex { Self.rank($0.name) > Self.rank(name) }
                members.insert((name, value), at: next ?? members.endIndex)
            case (nil, nil): break
            }
        }
    }

    /// This draft with another value of one claim.
    func with(_ name: String, _ value: String?) -> Draft {
        var draft = self
        draft[name] = value
        return draft
    }

    /// This draft with these bytes as claims.
    func with(claims: [UInt8]) -> Draft {
        var draft = self
        draft.claims = claims
        return draft
    }

    /// This draft with another header.
    func with(header: String) -> Draft {
        var draft = self
        draft.header = header
        return draft
    }

    /// The claims' JSON.
    var json: String {
        "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// The statement, signed.
    func text(_ key: PrivateKey? = nil) throws -> [UInt8] {
        let key = try key ?? Keys.trusted(.es256)
        let header = header.replacing("KID", with: key.keyID).replacing("ALG", with: key.algorithm.rawValue)
        return try Compact.text(header: Array(header.utf8), payload: claims ?? Array(json.utf8), key)
    }

    private static func rank(_ name: String) -> Int {
        ClaimName.allCases.firstIndex { $0.rawValue == name } ?? ClaimName.allCases.count
    }
}

/// Compact JWS of any parts.
enum Compact {
    /// Any header and payload, rightly signed.
    static func text(header: [UInt8], payload: [UInt8], _ key: PrivateKey) throws -> [UInt8] {
        let input = signingInput(header: header, payload: payload)
        return try join(input, signature: key.sign(input.span))
    }

    /// What is signed.
    static func signingInput(header: [UInt8], payload: [UInt8]) -> [UInt8] {
        Array((Base64URL.encode(header.span) + "." + Base64URL.encode(payload.span)).utf8)
    }

    /// A text with another signature.
    static func join(_ signingInput: [UInt8], signature: [UInt8]) -> [UInt8] {
        signingInput + [UInt8(ascii: ".")] + Array(Base64URL.encode(signature.span).utf8)
    }

    /// The three parts as they stand.
    static func parts(_ text: [UInt8]) -> [String] {
        String(decoding: text, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    /// What a part stands for.
    static func decoded(_ part: String) throws -> [UInt8] {
        let characters = Array(part.utf8)
        let bytes = Base64URL.decode(characters.span)
        return try #require(bytes)
    }
}

/// A text as a JSON string in its canonical spelling (RFC 8785 section 3.2.2.2), written without the code under test.
func quoted(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": json += #"\""#
        case "\\": json += #"\\"#
        case "\u{8}": json += #"\b"#
        case "\t": json += #"\t"#
        case "\n": json += #"\n"#
        case "\u{C}": json += #"\f"#
        case "\r": json += #"\r"#
        case "\u{0}"..."\u{1F}":
            let digits = String(scalar.value, radix: 16)
            json += #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
        default: json.unicodeScalars.append(scalar)
        }
    }
    return json + "\""
}
