import CountersignVerifier
import Testing

@Suite("The claim quorum")
struct QuorumTests {
    private static let several = Draft.example.with("request", #""r-1""#).with("quorum", #""2/3""#)
    private static let anyone = Draft.example.with("request", #""r-1""#).with("quorum", #""1/3""#)

    @Test("Every quorum has one spelling, which is read as it was written")
    func spelling() {
        for required in -1...Quorum.maxRequired + 1 {
            for asked in [-1, 0, 1, 2, 15, 16, 17, 9999, 10_000, .max] {
                let quorum = Quorum(required: required, of: asked)
                let isOne = (1...16).contains(required) && asked >= required && asked <= 9999
                #expect((quorum != nil) == isOne)
                if let quorum {
                    #expect(quorum.description == "\(required)/\(asked)" && Quorum(quorum.description) == quorum)
                }
            }
        }
    }

    private static let rules: [(Draft, QuorumRule, String)] = [
        (.example, .asClaimed, "valid"), (anyone, .asClaimed, "valid"), (several, .asClaimed, "quorum-not-met"),
        (.example, .any, "valid"), (anyone, .any, "valid"), (several, .any, "valid"),
        (.example, .atLeast(1), "valid"), (anyone, .atLeast(1), "valid"), (several, .atLeast(1), "quorum-not-met"),
        (.example, .atLeast(2), "quorum-not-met"), (anyone, .atLeast(2), "quorum-not-met"),
        (.example, .atLeast(0), "valid"), (several, .atLeast(.min), "quorum-not-met"),
        (.example, .atLeast(.max), "quorum-not-met"),
    ]

    @Test("V23: a statement alone is one person, and never less than it says is needed", arguments: rules.indices)
    func alone(place: Int) throws {
        let (draft, rule, code) = Self.rules[place]
        var policy = Policy()
        policy.quorum = rule
        #expect(try Judge.code(draft, policy: policy) == code)
    }

    @Test("A quorum of no request is malformed")
    func request() throws {
        #expect(try Judge.code(Draft.example.with("quorum", #""2/3""#)) == "claim-set")
        var claims = ReservedClaims()
        try claims.set(.quorum, to: "2/3")
        #expect(claims.quorum == Quorum(required: 2, of: 3))
        #expect(throws: InvalidReason.self) { try claims.set(.quorum, to: "3/2") }
        #expect(claims.quorum == Quorum(required: 2, of: 3))
    }
}
