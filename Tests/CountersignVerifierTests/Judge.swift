import CountersignKeys
import CountersignVerifier
import Testing

/// What the verifier says of a text, as its stable code.
enum Judge {
    /// The `iat` of the example.
    static let now: Int64 = 1_767_225_600

    /// A policy that asks nothing.
    static var lenient: Policy {
        var policy = Policy()
        policy.level = MinimumLevel(.none)
        policy.future = FutureLimit(seconds: .max)
        policy.testIDV = .allowed
        policy.audience = .any
        policy.quorum = .any
        return policy
    }

    /// The verdict over a text under the trust of most tests.
    static func code(_ text: [UInt8], policy: Policy = lenient, at time: Int64 = now) throws -> String {
        StatementVerifier(trust: Keys.trust, policy: policy).verify(text, at: time).code
    }

    /// The verdict over a draft that is signed by the trusted ES256 key.
    static func code(_ draft: Draft, policy: Policy = lenient, at time: Int64 = now) throws -> String {
        try code(draft.text(), policy: policy, at: time)
    }

    /// The claims of a text, which must be valid.
    static func claims(_ text: [UInt8], policy: Policy = lenient) throws -> Claims {
        let verdict = StatementVerifier(trust: Keys.trust, policy: policy).verify(text, at: now)
        guard case .valid(let statement) = verdict else {
            throw Refused(code: verdict.code)
        }
        return statement.claims
    }

    struct Refused: Error { let code: String }
}

extension VerificationSession {
    /// The verdict over a text (`#expect` cannot hold a span).
    func code(_ text: [UInt8], at time: Int64 = Judge.now) -> String { verify(text.span, at: time).code }
}

/// The code for which a trust file is refused, or nil.
func refusal(of file: [UInt8], root: String? = nil, rsaAlgorithm: KeyAlgorithm? = nil) -> TrustError.Code? {
    do {
        _ = try TrustStore(file, root: root, rsaAlgorithm: rsaAlgorithm)
        return nil
    } catch { return error.code }
}

func refusal(of file: String, root: String? = nil, rsaAlgorithm: KeyAlgorithm? = nil) -> TrustError.Code? {
    refusal(of: Array(file.utf8), root: root, rsaAlgorithm: rsaAlgorithm)
}

/// One row of a table: something wrong, and the one reason for which it is refused.
struct Row<Input: Sendable>: Sendable, CustomTestStringConvertible {
    let name: String
    let input: Input
    let code: String

    init(_ name: String, _ input: Input, _ code: String) {
        self.name = name
        self.input = input
        self.code = code
    }

    var testDescription: String { "\(name): \(code)" }
}
