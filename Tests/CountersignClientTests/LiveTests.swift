import CountersignClient
import CountersignKeys
import CountersignVerifier
import Outbound
import Signing
import SigningService
import Testing

@Suite("With the real service")
struct LiveTests {
    @Test("S13, S16: enrolled, challenged, wrong, right, signed; verified with the service's keys alone")
    func signing() async throws {
        try await LiveServer.run { live in
            let alice = try await live.person("alice")
            var signing = try await alice.startSigning(payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
            #expect(signing.state == .challenged && signing.attemptsLeft == 3)
            let refusal = await failure { _ = try await signing.answer(with: Secret("wrong horse")) }?.refusal
            #expect(refusal?.code == 102 && refusal?.attemptsLeft == 2 && refusal?.statusCode == 102)
            signing = try await signing.refreshed()
            #expect(signing.attemptsLeft == 2)
            let open = await failure { _ = try await alice.startSigning(payload: "x", reason: "y") }?.refusal
            #expect(open?.code == 1101)
            signing = try await signing.answer(with: Secret("correct horse"))
            let result = try #require(signing.result)
            let verifier = StatementVerifier(trust: try await live.service().trust())
            guard
                case .valid(let statement) = verifier.verify(
                    Array(result.statement.utf8), at: EngineClock.system.now() / 1000)
            else {
                Issue.record("not valid")
                return
            }
            #expect(statement.claims.subject.text == "alice" && statement.claims.payload == "Pay 5.00 EUR to Bob")
            #expect(statement.claims.issuer == LiveServer.origin && statement.claims.device != nil)
            #expect(try await live.service().verify(result.statement).isValid)
            let records = try await alice.statements()
            #expect(records.map(\.statement) == [result.statement])
            #expect(try await alice.statement(result.signatureID).ceremony == signing.id)
            #expect(try await alice.signing(signing.id).result?.statement == result.statement)
            try await alice.resetSigning()
        }
    }

    @Test("attack A9: replies to start and answer are lost: one statement, which the client has in the end")
    func lost() async throws {
        try await LiveServer.run { live in
            let exchange = try live.exchange()
            let alice = try await live.person("alice", exchange)
            exchange.lose("/v1/signings")
            let signing = try await alice.startSigning(payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
            exchange.lose("/answers")
            let signed = try await signing.answer(with: Secret("correct horse"))
            #expect(try await alice.statements().map(\.statement) == [signed.result?.statement])
            let next = try await alice.startSigning(payload: "Again", reason: "Invoice 18")
            exchange.lose("/answers")
            let refusal = await failure { _ = try await next.answer(with: Secret("wrong horse")) }?.refusal
            #expect(refusal?.code == 102 && refusal?.attemptsLeft == 2)
            #expect(try await next.refreshed().attemptsLeft == 2)
        }
    }

    @Test("Enrolment and refresh whose answers are lost are repeated with the same key; one session")
    func lostGrants() async throws {
        try await LiveServer.run { live in
            let exchange = try live.exchange()
            exchange.lose("/v1/devices")
            let alice = try await live.person("alice", exchange)
            #expect(try await alice.sessions().count == 1)
            // 290 s later, its token has ended for the client.
            let later = try live.account("alice", exchange, aheadBy: 290_000)
            exchange.lose("/v1/token")
            #expect(try await later.sessions().count == 1)
            let again = try live.account("alice", aheadBy: 290_000)
            #expect(try await again.sessions().count == 1)
        }
    }

    @Test("RFC 9700 section 4.14: six clients of one profile refresh at once, and the session goes on")
    func race() async throws {
        try await LiveServer.run { live in
            _ = try await live.person("alice")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    let account = try live.account("alice", aheadBy: 290_000)
                    group.addTask { _ = try await account.sessions() }
                }
                try await group.waitForAll()
            }
            #expect(try await live.account("alice").sessions().count == 1)
        }
    }

    @Test("RFC 9449 section 8: a restart of the service costs a round trip, not the session, nor an open signing")
    func restart() async throws {
        try await LiveServer.run { live in
            let exchange = try live.exchange()
            let alice = try await live.person("alice", exchange)
            let signing = try await alice.startSigning(payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
            try await LiveServer.serve(live.engine) { port in
                exchange.redirect(to: port)
                let signed = try await signing.answer(with: Secret("correct horse"))
                #expect(signed.state == .signed)
            }
        }
    }

    @Test("RFC 9470: a log-in that is too long ago is asked for again, and then it goes on")
    func stepUp() async throws {
        try await LiveServer.run { live in
            let alice = try await live.person("alice")
            #expect(
                await failure { try await alice.logIn(user: "alice", password: Secret("wrong")) }?.refusal?.code == 102)
            #expect(
                await failure { try await alice.logIn(user: "nobody", password: Secret("wrong")) }?.refusal?.code == 102
            )
            try await alice.logIn(user: "alice", password: Secret("correct horse"))
            let sessions = try await alice.sessions()
            #expect(sessions.count(where: \.isCurrent) == 1)
            for session in sessions where !session.isCurrent { try await alice.endSession(session.id) }
            try await alice.logOut()
            #expect(await failure { _ = try await alice.sessions() }?.needsLogIn == true)
            let profile = try live.profiles.directory.profile("alice")
            #expect(profile.user == "alice" && !profile.isOperator)
        }
    }

    @Test("A relying service by secret, by key, and bound to a key signs at level 0 and sees its own only")
    func relying() async throws {
        try await LiveServer.run { live in
            let root = try await live.operatorAccount().operator
            try await root.addUser("alice")
            try await root.set("allow-level-0", to: "true")
            let secret = try #require(try await root.addClient("shop").secret)
            let key = try PrivateKey(generating: .es256)
            let pem = try key.pem()
            let added = try await root.addClient("bank", publicKey: JWKText.of(key.publicKey))
            #expect(added.secret == nil && added.credential == "key")
            for (name, credential, isBound) in [
                ("shop", RelyingService.Credential.secret(Secret(secret)), false),
                ("shop", .secret(Secret(secret)), true),
                ("bank", .key(pem: Secret(pem)), false), ("bank", .key(pem: Secret(pem)), true),
            ] {
                let exchange = try live.exchange()
                exchange.lose("/v1/token")
                let service = try live.relying(name, credential, isBound: isBound, exchange)
                let result = try await service.sign(user: "alice", payload: "Order 17", reason: "Receipt")
                #expect(result.level == 0)
                let record = try #require(try await service.statements().first)
                #expect(record.statement == result.statement && record.audience == name)
                #expect(try await service.result(of: record.ceremony)?.statement == result.statement)
                try await service.logOut()
            }
            #expect(try await root.clients().count == 2)
            try await root.lockClient("shop")
            let locked = try live.relying("shop", .secret(Secret(secret)), isBound: false)
            let refusal = await failure { _ = try await locked.sign(user: "alice", payload: "p", reason: "r") }?.refusal
            #expect(refusal?.code == 1828)
            try await root.unlockClient("shop")
            _ = try await locked.sign(user: "alice", payload: "p", reason: "r")
        }
    }

    @Test("attack A1: what is the operator's is refused to others; each of its calls is read")
    func operators() async throws {
        try await LiveServer.run { live in
            let account = try await live.operatorAccount()
            let root = account.operator
            let alice = try await live.person("alice")
            #expect(await failure { _ = try await alice.operator.users() }?.refusal?.code == 1827)
            #expect(
                await failure { _ = try await account.startSigning(payload: "p", reason: "r") }?.refusal?.code == 1827)
            #expect(try await root.users().map(\.name) == ["alice"])
            try await root.addUser("bob@example.com")
            #expect(await failure { try await root.addUser("alice") }?.refusal?.code == 1300)
            #expect(try await root.user("bob@example.com").passwordSetAt == nil)
            for name in ["", "..", "../keys", "a b", "é", "a%2Fb", "?x"] {
                #expect(await failure { try await root.lock(name) }?.refusal?.status == 404, "\(name)")
            }
            try await root.lock("alice")
            #expect(try await root.user("alice").isLocked)
            try await root.unlock("alice")
            // Locking ended the session.
            try await alice.logIn(user: "alice", password: Secret("correct horse"))
            #expect(try await root.makeActivationCode(for: "bob@example.com").user == "bob@example.com")
            #expect(try await root.devices(of: "alice").devices.map(\.name) == ["Laptop of alice"])
            let signing = try await alice.startSigning(payload: "p", reason: "r")
            #expect(try await root.resetSignings(of: "alice") == 1)
            #expect(try await signing.refreshed().state == .cancelled)
            _ = try await alice.startSigning(payload: "p", reason: "r")
            #expect(try await root.resetSignings() == 1)
            #expect(try await root.sessions(of: "alice").count == 1)
            try await root.endSessions(of: "alice")
            #expect(try await root.sessions(of: "alice").isEmpty)
            try await root.clearPassword(of: "alice")
            let published = try await root.createKey(.edDSA)
            #expect(try await root.rotateKeys(to: published.id).state == "active")
            try await root.retireKey(published.id)
            try await root.revokeKey(published.id, as: .superseded)
            let made = try await root.rotateKeys()
            #expect(try await root.keys().contains { $0.id == made.id && $0.state == "active" })
            let history = try await root.signKeyHistory()
            #expect(try await live.service().keyHistory() == history)
            #expect(try await root.settings().contains { $0.name == "allow-level-0" && $0.value == "false" })
            #expect(await failure { try await root.set("allow-level-0", to: "x") }?.refusal?.code == 1849)
            #expect(await failure { try await root.set("nothing", to: "x") }?.refusal?.code == 1848)
            #expect(try await root.status().signingKey == made.id)
            let entries = try await root.audit(count: 1000)
            #expect(entries.contains { $0.event == "operator-logged-in" })
            var filter = AuditFilter()
            filter.user = "alice"
            #expect(try await root.audit(filter, count: 3).allSatisfy { $0.user == "alice" })
            #expect(await failure { _ = try await root.audit(count: 5000) }?.refusal?.code == 1850)
        }
    }

    @Test("What everybody may ask: keys, metadata, readiness, a thousand verdicts")
    func everybody() async throws {
        try await LiveServer.run { live in
            let service = try live.service()
            #expect(try await service.isReady())
            #expect(try await service.metadata().issuer == LiveServer.origin)
            let verdicts = try await service.verify(Array(repeating: "no statement", count: 1000))
            #expect(verdicts.count == 1000 && verdicts.allSatisfy { !$0.isValid && $0.reason == "not-compact" })
            let many = await failure { _ = try await service.verify(Array(repeating: "x", count: 1001)) }
            #expect(many?.refusal?.code == 1818)
        }
    }

    @Test("A proof for another program is good for one request, before and after the log-in")
    func proofs() async throws {
        try await LiveServer.run { live in
            let alice = try await live.person("alice")
            let exchange = try live.exchange()
            var request = OutboundRequest("GET", LiveServer.origin + "/v1/statements?count=1")
            request.headers = try await alice.proof("GET", request.url)
            #expect(try await exchange.send(request).status == 200)
            #expect(try await exchange.send(request).status == 401)
            // One that has no session, and knows no nonce yet.
            let other = try live.account("other")
            var logIn = OutboundRequest("POST", LiveServer.origin + "/v1/sessions")
            logIn.headers = try await other.proof("POST", logIn.url, isLoggedIn: false)
            logIn.headers.append((name: "Content-Type", value: "application/json"))
            logIn.body = Array(#"{"user":"alice","password":"correct horse"}"#.utf8)
            #expect(try await exchange.send(logIn).status == 403)
        }
    }

    @Test("A service that knows itself by another name is named, not followed")
    func otherName() async throws {
        try await LiveServer.run { live in
            let exchange = try live.exchange()
            let profile = try live.profiles.directory.create("other", server: "https://sign.exampl2")
            let account = try Account(
                profile, passcode: nil, options: ServiceOptions(),
                surroundings: Surroundings(
                    exchange: exchange, now: EngineClock.system.now, sleep: { _ in }, chance: { 0 }))
            let error = await failure { try await account.logIn(user: "alice", password: Secret("p")) }
            guard case .local(let text)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(text.contains(LiveServer.origin))
        }
    }
}
