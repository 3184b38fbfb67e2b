import CountersignKeys
import Server
import Sessions
import SigningService
import Testing

/// Every route by everybody (attack A1).
struct AccessTests {
    /// Whose sessions may use it; nil: it needs none. Written by hand: what the server says of itself must be this.
    static let table: [String: Set<String>?] = [
        "GET /healthz": nil, "GET /readyz": nil, "GET /metrics": nil, "GET /v1/openapi.json": nil,
        "GET /.well-known/jwks.json": nil, "GET /.well-known/countersign-keys": nil,
        "GET /.well-known/oauth-authorization-server": nil, "POST /v1/verifications": nil, "POST /v1/token": nil,
        "POST /v1/devices": nil, "POST /v1/sessions": nil, "POST /v1/operator/sessions": nil,
        "POST /v1/activations": nil, "GET /v1/activations/{id}": nil, "POST /v1/activations/{id}/verify": nil,
        "POST /v1/activations/{id}/finish": nil, "POST /v1/activations/{id}/fallback": nil,
        "DELETE /v1/activations/{id}": nil,
        "GET /v1/sessions": ["person", "operator"], "DELETE /v1/sessions/{id}": ["person", "operator"],
        "DELETE /v1/sessions/current": ["person", "service", "operator"], "GET /v1/devices": ["person"],
        "PATCH /v1/devices": ["person"],
        "POST /v1/batches": ["person", "service"],
        "POST /v1/signings": ["person", "service"], "GET /v1/signings/{id}": ["person", "service", "operator"],
        "POST /v1/signings/{id}/answers": ["person"], "DELETE /v1/signings/current": ["person", "service"],
        "DELETE /v1/signings/{id}": ["person", "service", "operator"], "DELETE /v1/signings": ["operator"],
        "POST /v1/notifications": ["service", "operator"], "GET /v1/notifications": ["person"],
        "GET /v1/notifications/history": ["person"], "GET /v1/events": ["person"],
        "GET /v1/notifications/{id}": ["person", "service", "operator"],
        "POST /v1/notifications/{id}/answer": ["person"],
        "POST /v1/notifications/{id}/dismiss": ["person", "operator"],
        "DELETE /v1/notifications/{id}": ["service", "operator"],
        "POST /v1/notifications/{id}/received": ["person"], "GET /v1/push-challenges": ["person"],
        "PUT /v1/devices/current/push-token": ["person"], "DELETE /v1/devices/current/push-token": ["person"],
        "POST /v1/requests": ["service"], "GET /v1/requests": ["service"], "GET /v1/requests/{id}": ["service"],
        "DELETE /v1/requests/{id}": ["service"], "GET /v1/groups": ["operator"], "POST /v1/groups": ["operator"],
        "PUT /v1/groups/{name}": ["operator"], "DELETE /v1/groups/{name}": ["operator"],
        "GET /v1/statements": ["person", "service", "operator"],
        "GET /v1/statements/{jti}": ["person", "service", "operator"], "GET /v1/audit": ["operator"],
        "GET /v1/deliveries": ["operator"],
        "GET /v1/users": ["operator"], "POST /v1/users": ["operator"], "GET /v1/users/{user}": ["operator"],
        "POST /v1/users/{user}/lock": ["operator"], "POST /v1/users/{user}/unlock": ["operator"],
        "POST /v1/users/{user}/activation-codes": ["operator"], "DELETE /v1/users/{user}/password": ["operator"],
        "GET /v1/users/{user}/sessions": ["operator"], "DELETE /v1/users/{user}/sessions": ["operator"],
        "GET /v1/users/{user}/devices": ["operator"],
        "DELETE /v1/users/{user}/devices/{device}": ["operator"],
        "POST /v1/users/{user}/devices/{device}/block": ["operator"],
        "POST /v1/users/{user}/devices/{device}/unblock": ["operator"],
        "DELETE /v1/users/{user}/signings": ["operator"],
        "GET /v1/keys": ["operator"], "POST /v1/keys": ["operator"], "POST /v1/keys/rotate": ["operator"],
        "POST /v1/keys/{kid}/retire": ["operator"], "POST /v1/keys/{kid}/revoke": ["operator"],
        "POST /v1/trust/history": ["operator"], "GET /v1/clients": ["operator"], "POST /v1/clients": ["operator"],
        "POST /v1/clients/{client}/lock": ["operator"], "POST /v1/clients/{client}/unlock": ["operator"],
        "GET /v1/settings": ["operator"], "PUT /v1/settings/{name}": ["operator"], "GET /v1/status": ["operator"],
    ]

    @Test("attack A1: the routes are those of this table, and each is for whom it says")
    func routes() {
        let served = Dictionary(
            SigningServer.routes.map { ("\($0.method) \($0.path)", $0.roles) }, uniquingKeysWith: { first, _ in first })
        #expect(served.count == SigningServer.routes.count)
        #expect(Set(served.keys) == Set(Self.table.keys))
        for (route, roles) in Self.table { #expect(served[route] == .some(roles), "\(route)") }
    }

    @Test("attack A1: every route x nobody, person, service, operator, ended, expired and stolen tokens")
    func everyRouteByEverybody() async throws {
        try await TestServer.run { server in
            let callers: [(String, Caller)] = [
                ("person", try await server.person("alice")), ("service", try await server.relyingService("bank")),
                ("operator", try await server.operatorCaller()),
            ]
            let ended = try await server.person("mallory")
            #expect(try await ended.ask("DELETE", "/v1/sessions/current").status == 204)
            let thief = Caller(server, token: callers[0].1.token)
            let stranger = Caller(server, key: try PrivateKey(generating: .es256), token: callers[0].1.token)
            for (route, roles) in Self.table {
                guard let roles else { continue }
                let parts = route.split(separator: " ").map(String.init)
                let path = Self.filled(parts[1])
                let body = parts[0] == "GET" || parts[0] == "DELETE" ? nil : "{}"
                let nobody = try await server.ask(parts[0], path, body: body)
                #expect(nobody.status == 401 && nobody.body.contains("\"code\":1820"), "\(route)")
                #expect(nobody.field("WWW-Authenticate") != nil, "\(route)")
                for caller in [ended, thief, stranger] {
                    let answer = try await caller.ask(parts[0], path, body: body)
                    #expect(answer.status == 401 && answer.body.contains("\"code\":1821"), "\(route) \(answer.text)")
                }
                for (name, caller) in callers where !roles.contains(name) {
                    let answer = try await caller.ask(parts[0], path, body: body)
                    #expect(answer.status == 403 && answer.body.contains("\"code\":1827"), "\(route) \(name)")
                }
                // Those who may get through to what is wrong with the request; what would end a caller, or never end, is left out.
                guard !["/v1/sessions/current", "/v1/keys/rotate", "/v1/events"].contains(path) else { continue }
                for (name, caller) in callers where roles.contains(name) {
                    let status = try await caller.ask(parts[0], path, body: body).status
                    #expect(![401, 403, 405, 500].contains(status), "\(route) \(name): \(status)")
                }
            }
        }
    }

    @Test("attack A1: what belongs to another is as if it did not exist")
    func anothersThings() async throws {
        try await TestServer.run { server in
            let (alice, bob) = (try await server.person("alice"), try await server.person("bob"))
            let (bank, shop) = (try await server.relyingService("bank"), try await server.relyingService("shop"))
            let text = #"{"payload":"p","reason":"r","authLevel":0,"authenticatorType":0}"#
            let own = try await alice.ask("POST", "/v1/signings", body: text)
            let asked = try await bank.ask(
                "POST", "/v1/signings", body: text.replacing("{\"payload", with: "{\"user\":\"alice\",\"payload"))
            for (signing, owner, others) in [(own, alice, [bob, bank, shop]), (asked, bank, [bob, shop])] {
                #expect(signing.status == 201, "\(signing.text)")
                let place = try #require(signing.field("Location"))
                let jti = try #require(signing.body.split(separator: "dataSignatureID\":\"").last?.prefix(36))
                #expect(try await owner.ask("GET", place).status == 200)
                #expect(try await owner.ask("GET", "/v1/statements/\(jti)").status == 200)
                for other in others {
                    #expect(try await other.ask("GET", place).status == 404)
                    #expect(try await other.ask("DELETE", place).status == 404)
                    #expect(try await other.ask("GET", "/v1/statements/\(jti)").status == 404)
                    #expect(try await !other.ask("GET", "/v1/statements").body.contains(jti))
                }
            }
        }
    }

    /// A path with something for each parameter that nothing has.
    static func filled(_ path: String) -> String {
        let id = "00000000-0000-4000-8000-000000000000"
        return path.replacing("{id}", with: id).replacing("{jti}", with: id).replacing("{device}", with: id)
            .replacing("{user}", with: "nobody").replacing("{kid}", with: "none").replacing("{client}", with: "none")
            .replacing("{name}", with: "none")
    }
}
