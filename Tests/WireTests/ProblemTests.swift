import CountersignJOSE
import Signing
import Testing
import Wire

@Suite("Problems: RFC 9457")
struct ProblemTests {
    /// The table of `docs/api.md` and of `Refusal.Code.httpStatus`, by number.
    private static func expected(_ code: Int) -> ClosedRange<Int> {
        switch code {
        case 102, 146: 403...403
        case 153, 1101, 1103...1105, 1300, 1302, 1402, 1601...1602, 1609, 1614, 1701, 1725, 1728, 1816: 409...409
        case 1841, 1844: 409...409
        case 214, 1000...1022, 1106, 1200...1205, 1603...1608, 1611, 1613, 1703...1704, 1710, 1731: 422...422
        case 1030, 1033, 1726, 1729, 1815, 1842, 1846, 1849: 422...422
        case 1100, 1610, 1702, 1724: 410...410
        case 1102, 1301, 1401, 1600, 1612, 1700, 1720, 1727, 1730, 1809, 1840, 1845, 1847, 1848: 404...404
        case 1400, 1500...1505, 1812, 1813: 503...503
        case 1705...1707, 1722...1723, 1800...1803, 1814, 1829, 1830, 1850: 400...400
        case 1804: 415...415
        case 1805: 406...406
        case 1031, 1032, 1806, 1818: 413...413
        case 1807: 431...431
        case 1808: 408...408
        case 1810: 405...405
        case 1721, 1811: 429...429
        case 1817: 500...500
        case 1820...1826, 1828: 401...401
        case 1827: 403...403
        default: 0...0
        }
    }

    @Test("Every refusal has its HTTP status, a type of its own, and comes back from its problem")
    func table() throws {
        var types: Set<String> = []
        for code in Refusal.Code.allCases {
            let problem = Problem(Refusal(code), requestID: "r-1")
            #expect(Self.expected(code.rawValue).contains(problem.status), "\(code)")
            #expect(types.insert(problem.type).inserted, "\(code)")
            #expect(problem.type.hasPrefix("urn:countersign:refusal:") && problem.type.hasSuffix(code.name))
            let again = try Problem.parse(problem.json)
            #expect(again.json == problem.json && again.refusal == Refusal(code) && again.requestID == "r-1", "\(code)")
            #expect(again.title == code.text && again.status == code.httpStatus)
            // Whoever is told to come back is told when.
            #expect(problem.status != 429 || problem.retryAfter != nil, "\(code)")
            #expect(!(1500...1505).contains(code.rawValue) || problem.retryAfter != nil, "\(code)")
        }
    }

    @Test("S21, O01: facts are members: attempts left with 102, 153 without any; waits; ages; names")
    func facts() throws {
        let wrong = Problem(Refusal(.authenticationFailed, .attemptsLeft(2)))
        #expect(wrong.attemptsLeft == 2 && wrong.statusCode == 102 && wrong.status == 403)
        let last = Problem(.exhausted)
        #expect(last.attemptsLeft == 0 && last.statusCode == 153 && last.status == 403)
        #expect(Problem(Refusal(.authenticationFailed)).statusCode == nil)
        #expect(Problem(Refusal(.tooManyRequests, .retryAfter(seconds: 7))).retryAfter == 7)
        #expect(Problem(Refusal(.stepUpNeeded, .maxAge(seconds: 43_200))).maxAge == 43_200)
        for fact in [Refusal.Fact.coolingOff(until: 77), .probation(until: 77)] {
            let problem = try Problem.parse(Problem(Refusal(.deviceNotAllowed, fact)).json)
            #expect(problem.until == 77 && problem.code == 146 && problem.status == 403)
        }
        let long = String(repeating: "n\u{202E}", count: 100)
        #expect(Problem(Refusal(.memberUnknown, .member(long))).member?.unicodeScalars.count == 64)
        for refusal in [
            Refusal.exhausted, Refusal(.authenticationFailed, .attemptsLeft(1)),
            Refusal(.tooManyRequests, .retryAfter(seconds: 7)), Refusal(.stepUpNeeded, .maxAge(seconds: 60)),
            Refusal(.memberValue, .member("user")),
        ] {
            #expect(try Problem.parse(Problem(refusal).json).refusal == refusal)
        }
    }

    @Test("The words of RFC 6749, 6750, 9449 and 9470 go with their refusals")
    func words() {
        let words: [Refusal.Code: String] = [
            .tokenInvalid: "invalid_token", .proofMissing: "invalid_dpop_proof", .proofInvalid: "invalid_dpop_proof",
            .proofReplayed: "invalid_dpop_proof", .nonceNeeded: "use_dpop_nonce",
            .stepUpNeeded: "insufficient_user_authentication", .scopeInsufficient: "insufficient_scope",
            .clientInvalid: "invalid_client", .grantInvalid: "invalid_grant",
            .grantTypeUnsupported: "unsupported_grant_type",
        ]
        for (code, word) in words { #expect(Problem(Refusal(code)).error == word) }
        // RFC 6750 section 3.1: a request without credentials is told nothing but how to authenticate.
        #expect(Problem(Refusal(.tokenMissing)).error == nil)
    }

    @Test("A problem of a later version keeps its number; one that is none is refused")
    func others() throws {
        let later =
            #"{"type":"urn:countersign:refusal:new","title":"t","status":418,"detail":"d","code":9000,"name":"new","x":[]}"#
        let problem = try Problem.parse(Array(later.utf8))
        #expect(problem.code == 9000 && problem.refusal == nil && problem.detail == "d")
        for wrong in [
            "{}", #"{"type":"about:blank","title":"t","status":404}"#,
            later.replacing("refusal:new", with: "refusal:other"), later.replacing("418", with: "200"),
            later.replacing("9000", with: "\"9000\""),
        ] {
            #expect(throws: Refusal.self) { try Problem.parse(Array(wrong.utf8)) }
        }
    }
}
