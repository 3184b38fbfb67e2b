import CountersignKeys
import Server
import Signing
import SigningService
import Testing

/// A clock that jumps under a running service.
struct ClockTests {
    private static let day: Int64 = 86_400_000
    private static let signing = #"{"payload":"p","reason":"r","authLevel":0,"authenticatorType":0}"#
    private static let question = #"{"payload":"p","reason":"r","authLevel":1,"authenticatorType":0}"#
    private static let answer = #"{"challengeMode":12,"password":"\#(TestServer.password)"}"#

    @Test("R5: a day forward, what has expired is refused for that, and the service goes on")
    func forward() async throws {
        try await TestServer.run { server in
            let (person, service) = (try await server.person("alice"), try await server.relyingService("bank"))
            let open = try await person.ask("POST", "/v1/signings", body: Self.question)
            let place = try #require(open.field("Location"))
            let proved = try person.credentials("GET", "/v1/sessions")
            server.clock.set(Self.day)
            #expect(try await server.ask("GET", "/v1/sessions", proved).body.contains("\"code\":1821"))
            for caller in [person, service] {
                let late = try await caller.ask("GET", "/v1/statements")
                #expect(late.status == 401 && late.body.contains("\"code\":1821"), "\(late.text)")
            }
            // The refresh token lasts longer. What was asked yesterday is over.
            let device = Caller(server, key: person.key)
            let grant = try await device.form(
                "/v1/token", "grant_type=refresh_token&refresh_token=\(try #require(person.refreshToken))")
            #expect(grant.status == 200, "\(grant.text)")
            let back = Caller(server, key: person.key, token: grant.member("access_token"))
            let tooLate = try await back.ask("POST", place + "/answers", body: Self.answer)
            #expect(tooLate.status < 500 && !tooLate.body.contains("\"signed\""), "\(tooLate.text)")
            let stale = try await back.ask("POST", "/v1/signings", body: Self.signing)
            #expect(stale.status == 401 && stale.body.contains("\"code\":1826"), "\(stale.text)")
            let logIn = try await device.ask(
                "POST", "/v1/sessions", body: #"{"user":"alice","password":"\#(TestServer.password)"}"#)
            #expect(logIn.status == 201, "\(logIn.text)")
            let fresh = Caller(server, key: person.key, token: logIn.member("access_token"))
            #expect(try await fresh.ask("POST", "/v1/signings", body: Self.signing).status == 201)
            let again = try await server.relyingService("shop")
            #expect(try await again.ask("GET", "/v1/statements").status == 200)
        }
    }

    @Test("R5: half a minute back, the time stands still; a day back is refused; all is well when the clock is right")
    func back() async throws {
        try await TestServer.run { server in
            let (person, service) = (try await server.person("alice"), try await server.relyingService("bank"))
            let boss = try await server.operatorCaller()
            let asked = Self.signing.replacing("{", with: "{\"user\":\"alice\",")
            let first = try await person.ask("POST", "/v1/signings", body: Self.signing)
            let time = try #require(first.number("issuedAt"))
            server.clock.set(-30_000)
            for (caller, body) in [(person, Self.signing), (service, asked)] {
                let clamped = try await caller.ask("POST", "/v1/signings", body: body)
                #expect(clamped.status == 201, "\(clamped.text)")
                #expect(try #require(clamped.number("issuedAt")) >= time)
            }
            server.clock.set(-Self.day)
            for (caller, body) in [(person, Self.signing), (service, asked), (boss, asked)] {
                for (method, path, body) in [("POST", "/v1/signings", body), ("GET", "/v1/statements", nil)] {
                    let refused = try await caller.ask(method, path, body: body)
                    #expect(refused.status == 503 && refused.body.contains("\"code\":1504"), "\(refused.text)")
                    #expect(refused.field("Retry-After") != nil)
                }
            }
            let holder = Caller(server, key: person.key)
            let logIn = try await holder.ask(
                "POST", "/v1/sessions", body: #"{"user":"alice","password":"\#(TestServer.password)"}"#)
            #expect(logIn.status == 503 && logIn.body.contains("\"code\":1504"), "\(logIn.text)")
            #expect(try await server.ask("GET", "/healthz").status == 200)
            #expect(try await server.ask("GET", "/.well-known/jwks.json").status == 200)
            server.clock.set(0)
            for caller in [person, service, boss] {
                #expect(try await caller.ask("GET", "/v1/statements").status == 200)
            }
            #expect(try await person.ask("POST", "/v1/signings", body: Self.signing).status == 201)
            let question = try await person.ask("POST", "/v1/signings", body: Self.question)
            let place = try #require(question.field("Location"))
            let signed = try await person.ask("POST", place + "/answers", body: Self.answer)
            #expect(signed.status == 200 && signed.body.contains("\"status\":\"signed\""), "\(signed.text)")
        }
    }
}
