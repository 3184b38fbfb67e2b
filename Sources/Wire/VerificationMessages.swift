package import CountersignJOSE
internal import CountersignKeys
package import CountersignVerifier
package import Signing

/// `POST /v1/verifications`: one statement or many.
package struct VerifyStatements: WireMessage {
    /// The statements, in the order of the answer.
    package let statements: [String]
    /// Whether one was asked for by itself, and the answer is one verdict rather than a list.
    package let isSingle: Bool
    /// What is asked of them beyond their signatures.
    package let policy: PolicyMessage

    /// The most statements of one request.
    package static let maxStatements = 1000

    /// One statement.
    package init(_ statement: String, policy: PolicyMessage = PolicyMessage()) {
        statements = [statement]
        isSingle = true
        self.policy = policy
    }

    /// Many statements.
    package init(_ statements: [String], policy: PolicyMessage = PolicyMessage()) {
        self.statements = statements
        isSingle = false
        self.policy = policy
    }

    /// Its members. Statements may be longer here than statements are, so that the verdict says so.
    package static let shape = Shape(
        "VerifyStatements",
        [
            .optional("statement", .text(max: 1 << 20), "a statement, or a JSON result with one in it"),
            .optional(
                "statements",
                .list(.text(max: 1 << 20), max: maxStatements, otherwise: .tooManyStatements), "statements"),
            .optional("policy", .message(PolicyMessage.shape)),
        ], alternatives: ["statement", "statements"])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        policy =
            try members.optionalObject("policy").map { (object) throws(Refusal) in try PolicyMessage(object) }
            ?? PolicyMessage()
        isSingle = members.optionalString("statement") != nil
        statements =
            members.optionalString("statement").map { [$0] } ?? members.optionalStrings("statements") ?? []
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if isSingle, let statement = statements.first {
            writer.member(name: "statement", string: statement)
        } else {
            writer.member(name: "statements", strings: statements)
        }
        writer.name("policy")
        policy.write(to: &writer)
        writer.endObject()
    }
}

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
        writer.endObject()
    }

    /// The policy of the verifier.
    package var policy: Policy {
        var policy = Policy()
        if let level = minLevel.flatMap(AuthLevel.init) { policy.level = MinimumLevel(level) }
        if allowTestIDV == true { policy.testIDV = .allowed }
        if anyAudience == true { policy.audience = .any }
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

/// A verdict, under the names of `countersign verify --json`.
package struct VerdictMessage: ListedMessage {
    /// `valid`, `invalid` or `indeterminate`.
    package let verdict: String
    /// The stable name of the reason, where it is not valid.
    package let reason: String?
    /// The reason in a sentence.
    package let message: String?
    /// The key that signed, where it is valid.
    package let kid: String?
    /// Its algorithm.
    package let algorithm: String?
    /// What was signed, under the names of the statement.
    package let claims: JSONObject?

    /// The verifier's verdict.
    package init(_ verdict: Verdict) {
        var (reason, message, statement): (String?, String?, VerifiedStatement?)
        switch verdict {
        case .valid(let valid):
            self.verdict = "valid"
            statement = valid
        case .invalid(let why):
            self.verdict = "invalid"
            (reason, message) = (why.code, why.description)
        case .indeterminate(let why):
            self.verdict = "indeterminate"
            (reason, message) = (why.code, why.description)
        }
        self.reason = reason
        self.message = message
        kid = statement?.keyID
        algorithm = statement?.algorithm.rawValue
        claims = statement.flatMap { statement in
            var writer = JSONWriter()
            statement.claims.write(to: &writer)
            return (try? JSON(parsing: writer.bytes, maxBytes: writer.bytes.count))?.object
        }
    }

    /// `{"verdicts": [...]}`.
    package static var listName: StaticString { "verdicts" }

    /// Its members.
    package static let shape = Shape(
        "Verdict",
        [
            .required("verdict", .word(["valid", "invalid", "indeterminate"])),
            .optional("reason", .line, "the stable name of the reason, where it is not valid"),
            .optional("message", .text(max: 2048), "the reason in a sentence"),
            .optional("kid", .line, "the key that signed, where it is valid"), .optional("alg", .line),
            .optional("claims", .object, "what was signed, under the names of the statement"),
        ])

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        verdict = try members.string("verdict")
        reason = members.optionalString("reason")
        message = members.optionalString("message")
        kid = members.optionalString("kid")
        algorithm = members.optionalString("alg")
        claims = members.optionalObject("claims")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "verdict", string: verdict)
        writer.member(name: "reason", string: reason)
        writer.member(name: "message", string: message)
        writer.member(name: "kid", string: kid)
        writer.member(name: "alg", string: algorithm)
        if let claims {
            writer.name("claims")
            writer.value(.object(claims), isSorted: false)
        }
        writer.endObject()
    }
}
