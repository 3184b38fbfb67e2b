import CountersignKeys
import CountersignVerifier
import Testing

/// A file of `Vectors/statements` or `Vectors/bundles`.
struct VectorGroup<Vector: Decodable>: Decodable {
    struct Trust: Decodable {
        let text: String
        let root: String?
    }

    let now: Int64
    let trust: [String: Trust]
    let tests: [Vector]

    /// The trust files, read.
    func stores() throws -> [String: TrustStore] {
        try trust.mapValues { try TrustStore(Array($0.text.utf8), root: $0.root) }
    }
}

/// What a vector verifies.
enum VectorText {
    /// The text as it stands, or from hexadecimal digits where it is not UTF-8.
    static func bytes(_ text: String?, hexadecimal: String?) throws -> [UInt8] {
        if let text { return Array(text.utf8) }
        let digits = Array(try #require(hexadecimal).utf8)
        return try stride(from: 0, to: digits.count, by: 2).map { index in
            try #require(UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16))
        }
    }
}

extension Verdict {
    /// What it comes to, as vectors name it.
    var kind: String {
        switch self {
        case .valid: "valid"
        case .invalid: "invalid"
        case .indeterminate: "indeterminate"
        }
    }
}

/// The policy of a vector, by the names of the command's options.
struct VectorOptions: Decodable {
    let minLevel: Int?
    let issuer: String?
    let audience: String?
    let anyAudience: Bool?
    let requireAMR: [String]?
    let reason: String?
    let payload: String?
    let maxAge: Int64?
    let algorithms: [String]?
    let allowTestIDV: Bool?
    let require: Int?
    let anyQuorum: Bool?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case issuer, audience, reason, payload, algorithms, require
        case minLevel = "min-level"
        case anyAudience = "any-audience"
        case requireAMR = "require-amr"
        case maxAge = "max-age"
        case allowTestIDV = "allow-test-idv"
        case anyQuorum = "any-quorum"
    }

    init(from decoder: any Decoder) throws {
        try decoder.refuseUnknown(Set(CodingKeys.allCases.map(\.rawValue)))
        let values = try decoder.container(keyedBy: CodingKeys.self)
        minLevel = try values.decodeIfPresent(Int.self, forKey: .minLevel)
        issuer = try values.decodeIfPresent(String.self, forKey: .issuer)
        audience = try values.decodeIfPresent(String.self, forKey: .audience)
        anyAudience = try values.decodeIfPresent(Bool.self, forKey: .anyAudience)
        requireAMR = try values.decodeIfPresent([String].self, forKey: .requireAMR)
        reason = try values.decodeIfPresent(String.self, forKey: .reason)
        payload = try values.decodeIfPresent(String.self, forKey: .payload)
        maxAge = try values.decodeIfPresent(Int64.self, forKey: .maxAge)
        algorithms = try values.decodeIfPresent([String].self, forKey: .algorithms)
        allowTestIDV = try values.decodeIfPresent(Bool.self, forKey: .allowTestIDV)
        require = try values.decodeIfPresent(Int.self, forKey: .require)
        anyQuorum = try values.decodeIfPresent(Bool.self, forKey: .anyQuorum)
    }

    func policy() throws -> Policy {
        var policy = Policy()
        if let minLevel { policy.level = MinimumLevel(try #require(AuthLevel(rawValue: minLevel))) }
        if let audience { policy.audience = .exactly(audience) }
        if anyAudience == true { policy.audience = .any }
        if allowTestIDV == true { policy.testIDV = .allowed }
        if let require { policy.quorum = .atLeast(require) }
        if anyQuorum == true { policy.quorum = .any }
        if let issuer { policy.rules.append(ExpectedIssuer(issuer)) }
        if let algorithms {
            let set = try algorithms.map { try #require(KeyAlgorithm(rawValue: $0)) }
            policy.rules.append(AllowedAlgorithms(Set(set)))
        }
        if let requireAMR {
            let methods = try requireAMR.map { try #require(AuthenticationMethod(rawValue: $0)) }
            policy.rules.append(RequiredMethods(methods))
        }
        if let reason { policy.rules.append(ExpectedReason(reason)) }
        if let payload { policy.rules.append(ExpectedPayload(Array(payload.utf8))) }
        if let maxAge { policy.rules.append(MaximumAge(seconds: maxAge)) }
        return policy
    }
}

extension Decoder {
    /// A member that a test does not know would be a check that is not made.
    func refuseUnknown(_ known: Set<String>) throws {
        let names = try container(keyedBy: AnyName.self).allKeys.map(\.stringValue)
        let unknown = Set(names).subtracting(known)
        guard unknown.isEmpty else {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "unknown: \(unknown)"))
        }
    }
}

private struct AnyName: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
}
