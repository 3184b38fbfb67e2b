import CountersignJOSE
import Signing
import Testing
import Wire

@Suite("The token endpoint's form: RFC 6749")
struct TokenRequestTests {
    private func parse(_ body: String) throws -> TokenRequest { try TokenRequest.parse(Array(body.utf8)) }

    @Test("Forms are read as they were written")
    func roundTrip() throws {
        let requests = [
            TokenRequest(.refresh(token: "csr_a+b/c=&%é")), TokenRequest(.clientCredentials),
            TokenRequest(.clientCredentials, client: "shop", secret: "csc_x y"),
            TokenRequest(.clientCredentials, client: "shop", assertion: "a.b.c"),
        ]
        for request in requests {
            let again = try TokenRequest.parse(request.form)
            #expect(again.form == request.form)
            if case .refresh(let token) = again.grant { #expect(token == "csr_a+b/c=&%é") }
        }
        let spelt = try parse("grant_type=client%5Fcredentials&client_id=a+b&client_secret=%63&scope=all&empty=")
        #expect(spelt.client == "a b" && spelt.secret == "c")
    }

    @Test(
        "RFC 6749 section 3.2: a parameter twice, a broken escape, no UTF-8, and what is no form are refused with 1800")
    func malformed() {
        for body in [
            "grant_type=client_credentials&grant_type=client_credentials", "grant_type", "grant_type=%4",
            "grant_type=%zz",
            "grant_type=%FF", "{\"grant_type\":\"x\"}", "a=1&%61=2",
        ] {
            let found = #expect(throws: Refusal.self) { try self.parse(body) }
            #expect(found?.code == .requestMalformed, "\(body)")
        }
    }

    @Test("What is missing is 1802, another grant is 1830, another assertion type is 1803")
    func refusals() {
        let cases: [(String, Refusal.Code)] = [
            ("", .memberMissing), ("grant_type=", .memberMissing), ("grant_type=refresh_token", .memberMissing),
            ("grant_type=password", .grantTypeUnsupported),
            ("grant_type=client_credentials&client_assertion=a", .memberMissing),
            ("grant_type=client_credentials&client_assertion=a&client_assertion_type=x", .memberValue),
        ]
        for (body, code) in cases {
            let found = #expect(throws: Refusal.self) { try self.parse(body) }
            #expect(found?.code == code, "\(body)")
        }
    }

    @Test("RFC 7617, RFC 6749 section 2.3.1: Basic credentials in their one spelling")
    func basic() {
        // shop:csc_a b, form-encoded, then base64.
        #expect(BasicCredentials("c2hvcDpjc2NfYSUyMGI=")?.client == "shop")
        #expect(BasicCredentials("c2hvcDpjc2NfYSUyMGI=")?.secret == "csc_a b")
        #expect(BasicCredentials("czp+fn5-")?.secret == nil)
        for wrong in [
            "", "c2hvcA==", "c2hvcDpjc2NfYSUyMGI", "c2hvcDpjc2NfYSUyMGI==", "c2hv cDp4", "s:x", "czolNA==",
            "=c2hvcDpjc2NfYSUyMGI", "c2hv=cDpjc2NfYSUyMGI",
        ] {
            #expect(BasicCredentials(wrong) == nil, "\(wrong)")
        }
    }
}
