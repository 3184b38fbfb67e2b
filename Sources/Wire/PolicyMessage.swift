package import CountersignJOSE
package import CountersignVerifier
package import Signing

/// What is asked of statements beyond their signatures; without members, the strictest that makes sense.
package struct PolicyMessage: WireMessage {
    /// The lowest level that will do; nil: 1.
    package var minLevel: Int?
    /// Who must have issued it.
    package var issuer: String?
    /// For whom it must be meant.
    package var audience: String?
    /// Whether it will do for whomever it is meant.
    package var anyAudience: Bool?
    /// How the person must have authenticated.
    package var requiredMethods: [String]?
    /// For what reason it must have been signed.
    package var reason: String?
    /// What must have been signed.
    package var payload: String?
    /// How old it may be, in seconds.
    package var maxAge: Int64?
    /// Whether identities that only a test provider verified count.
    package var allowTestIDV: Bool?
    /// Whether one of several statements that are needed together will do.
    package var anyQuorum: Bool?

    /// The strictest.
    package init() {}

    /// Its members.
    package static let shape = Shape(
        "Policy",
        [
            .optional("minLevel", .number([0, 1, 4]), "else 1"), .optional("issuer", .line),
            .optional("audience", .line, "not together with anyAudience"), .optional("anyAudience", .flag),
            .optional(
                "requireAmr",
                .list(.word(AuthenticationMethod.allCases.map(\.rawValue)), max: 16, otherwise: .memberValue)),
            .optional("reason", .text(max: 1024)), .optional("payload", .text(max: 4096)),
            .optional("maxAge", .count, "in seconds"), .optional("allowTestIDV", .flag),
            .optional("anyQuorum", .flag, "one of several that are needed together will do"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        minLevel = members.optionalInt("minLevel")
        issuer = members.optionalString("issuer")
        audience = members.optionalString("audience")
        anyAudience = members.optionalFlag("anyAudience")
        requiredMethods = members.optionalStrings("requireAmr")
        reason = members.optionalString("reason")
        payload = members.optionalString("payload")
        maxAge = members.optionalInteger("maxAge")
        allowTestIDV = members.optionalFlag("allowTestIDV")
        anyQuorum = members.optionalFlag("anyQuorum")
        if audience != nil, anyAudience == true { throw Refusal(.memberValue, .member("anyAudience")) }
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "minLevel", integer: minLevel)
        writer.member(name: "issuer", string: issuer)
        writer.member(name: "audience", string: audience)
        writer.member(name: "anyAudience", flag: anyAudience)
        if let requiredMethods { writer.member(name: "requireAmr", strings: requiredMethods) }
        writer.member(name: "reason", string: reason)
        writer.member(name: "payload", string: payload)
        writer.member(name: "maxAge", integer: maxAge)
        writer.member(name: "allowTestIDV", flag: allowTestIDV)
        writer.member(name: "anyQuorum", flag: anyQuorum)
        writer.endObject()
    }

    /// The policy of the verifier.
    package var policy: Policy {
        var policy = Policy()
        if let level = minLevel.flatMap(AuthLevel.init) { policy.level = MinimumLevel(level) }
        if allowTestIDV == true { policy.testIDV = .allowed }
        if anyAudience == true { policy.audience = .any }
        if anyQuorum == true { policy.quorum = .any }
        if let audience { policy.audience = .exactly(audience) }
        if let issuer { policy.rules.append(ExpectedIssuer(issuer)) }
        if let requiredMethods {
            policy.rules.append(RequiredMethods(requiredMethods.compactMap { AuthenticationMethod(rawValue: $0) }))
        }
        if let reason { policy.rules.append(ExpectedReason(reason)) }
        if let payload { policy.rules.append(ExpectedPayload(Array(payload.utf8))) }
        if let maxAge { policy.rules.append(MaximumAge(seconds: maxAge)) }
        return policy
    }
}
