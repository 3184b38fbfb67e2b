import CountersignKeys
import NIOCore
import Server
import Sessions
import Signing
import SigningService
import Synchronization
import Testing

/// Time and ends: what is slow, what is repeated, what stops.
struct LifeTests {
    @Test("attack A4: a connection that is slow in any way is ended in its time")
    func slowConnections() {
        let start = NIODeadline.now()
        let limits = ConnectionLimits()
        func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

        var silent = ConnectionState(limits: limits, at: start)
        #expect(silent.expiry(at: at(9)) == .nothing)
        #expect(silent.expiry(at: at(10)) == .close)
        silent.bytesRead()
        #expect(silent.expiry(at: at(10)) == .refuse)

        var body = ConnectionState(limits: limits, at: start)
        body.headRead(at: at(9))
        #expect(body.expiry(at: at(23)) == .nothing)
        #expect(body.expiry(at: at(24)) == .refuse)
        body.responseBegun(closes: false)
        #expect(body.expiry(at: at(24)) == .close)

        var answered = ConnectionState(limits: limits, at: start)
        answered.headRead(at: start)
        answered.endRead()
        #expect(answered.expiry(at: at(1_000)) == .nothing)
        answered.responseBegun(closes: false)
        let ends = answered.responseEnded(at: at(5))
        #expect(!ends)
        #expect(answered.expiry(at: at(24)) == .nothing)
        #expect(answered.expiry(at: at(25)) == .close)

        var reader = ConnectionState(limits: limits, at: start)
        reader.headRead(at: start)
        reader.endRead()
        reader.responseBegun(closes: false)
        reader.writabilityChanged(false, at: at(1))
        #expect(reader.expiry(at: at(15)) == .nothing)
        #expect(reader.expiry(at: at(16)) == .close)
        reader.writabilityChanged(true, at: at(2))
        #expect(reader.expiry(at: at(16)) == .nothing)
    }

    @Test("attack A4: who takes portion after portion of an answer has the time for each, who stops has no more")
    func slowReaders() {
        let start = NIODeadline.now()
        func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }
        var state = ConnectionState(limits: ConnectionLimits(), at: start)
        state.headRead(at: start)
        state.endRead()
        state.responseBegun(closes: false)
        for portion in 0..<Int64(100) {
            state.writabilityChanged(false, at: at(14 * portion))
            #expect(state.expiry(at: at(14 * portion + 14)) == .nothing)
            state.writabilityChanged(true, at: at(14 * portion + 14))
        }
        state.writabilityChanged(false, at: at(1_400))
        #expect(state.expiry(at: at(1_414)) == .nothing && state.expiry(at: at(1_415)) == .close)
    }

    @Test("attack A4: the last answer has the time of a portion, then what comes is thrown away for a moment")
    func lastAnswers() {
        let start = NIODeadline.now()
        func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }
        var state = ConnectionState(limits: ConnectionLimits(), at: start)
        for _ in 1...2 {
            state.headRead(at: start)
            state.endRead()
        }
        state.responseBegun(closes: false)
        // The second answer is the last one.
        state.endWithResponse()
        let first = state.responseEnded(at: at(1))
        state.responseBegun(closes: false)
        state.endWithResponse()
        let second = state.responseEnded(at: at(2))
        #expect(!first && second)
        state.end(at: at(2))
        #expect(state.inbound == .nothing && !state.isLingering)
        #expect(state.expiry(at: at(16)) == .nothing && state.expiry(at: at(17)) == .close)
        state.linger(at: at(10))
        #expect(state.isLingering && state.expiry(at: at(10)) == .nothing && state.expiry(at: at(11)) == .close)
    }

    @Test("Without an origin it is that of what is listened on, with the port that the system chose")
    func chosenPort() async throws {
        try await TestServer.run { settings in
            settings.origin = nil
        } _: { server in
            let metadata = try await server.ask("GET", "/.well-known/oauth-authorization-server")
            #expect(metadata.body.contains("\"token_endpoint\":\"http://127.0.0.1:\(server.port)/v1/token\""))
        }
    }

    @Test("attack A4: a TLS connection has its time for a handshake and without streams, a stop does not wait for it")
    func idleStreams() {
        let start = NIODeadline.now()
        let limits = ConnectionLimits()
        func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

        var shaking = TLSConnectionState(limits: limits, at: start)
        #expect(!shaking.isOver(at: at(9)) && shaking.isOver(at: at(10)) && shaking.nextLook(at: start) == at(10))
        shaking.stopBegan(at: at(2))
        #expect(shaking.isOver(at: at(3)))

        var single = TLSConnectionState(limits: limits, at: start)
        single.handshakeEnded(isMultiplexed: false, at: at(1))
        single.stopBegan(at: at(2))
        #expect(!single.isOver(at: at(1_000)))

        // The library asks after 20 seconds; who has not answered one later is closed.
        var idle = TLSConnectionState(limits: limits, at: start)
        idle.handshakeEnded(isMultiplexed: true, at: at(1))
        #expect(!idle.isOver(at: at(21)) && idle.isOver(at: at(22)))
        idle.streamOpened()
        idle.streamOpened()
        idle.streamClosed(at: at(5))
        #expect(!idle.isOver(at: at(1_000)) && idle.nextLook(at: at(5)) == at(25))
        idle.streamClosed(at: at(6))
        #expect(!idle.isOver(at: at(26)) && idle.isOver(at: at(27)))

        var busy = TLSConnectionState(limits: limits, at: start)
        busy.handshakeEnded(isMultiplexed: true, at: start)
        busy.streamOpened()
        busy.stopBegan(at: at(1))
        #expect(!busy.isOver(at: at(1_000)) && busy.nextLook(at: at(1)) == at(2))
        busy.streamClosed(at: at(10))
        #expect(!busy.isOver(at: at(10)) && busy.isOver(at: at(11)))
    }

    @Test("attack A4: a slow header, a slow body and silence are ended while others are served")
    func slowPeers() async throws {
        try await TestServer.run { settings in
            (settings.connection.headSeconds, settings.connection.bodySeconds) = (1, 1)
        } _: { server in
            let head = "POST /v1/verifications HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            async let header = server.send(head, untilClosed: true)
            async let body = server.send(head + "Content-Length: 10\r\n\r\n{", untilClosed: true)
            async let silence = server.send("", untilClosed: true)
            // On a busy machine a good client may be slow as well.
            var served = false
            for _ in 0..<100 where !served { served = try await server.ask("GET", "/healthz").status == 200 }
            #expect(served)
            let (first, second) = (try await header, try await body)
            for answer in [first, second] {
                #expect(answer.status == 408 && answer.isClosed && answer.body.contains("1808"))
            }
            let quiet = try await silence
            #expect(quiet.isClosed && quiet.bytes.isEmpty)
        }
    }

    @Test("attack A9: a request that names itself happens once")
    func idempotency() async throws {
        try await TestServer.run { server in
            let (bank, shop) = (try await server.relyingService("bank"), try await server.relyingService("shop"))
            _ = try await server.person("alice")
            let body = #"{"user":"alice","payload":"p","reason":"r","authLevel":0,"authenticatorType":0}"#
            let name = "Idempotency-Key: order-17"
            let first = try await bank.ask("POST", "/v1/signings", [name], body: body)
            let again = try await bank.ask("POST", "/v1/signings", [name], body: body)
            #expect(first.status == 201 && again.status == 201)
            #expect(first.body == again.body && first.field("Location") == again.field("Location"))
            let other = try await bank.ask("POST", "/v1/signings", [name], body: body.replacing("\"p\"", with: "\"q\""))
            #expect(other.status == 422 && other.body.contains("1815"))
            let stranger = try await shop.ask("POST", "/v1/signings", [name], body: body)
            #expect(stranger.status == 201 && stranger.body != first.body)
            for bad in ["", "a b", String(repeating: "x", count: 129), "\u{E9}"] {
                let answer = try await bank.ask("POST", "/v1/signings", ["Idempotency-Key: \(bad)"], body: body)
                #expect(answer.status == 400 && answer.body.contains("1814"), "\(bad) \(answer.text)")
            }
            let statements = try await bank.ask("GET", "/v1/statements")
            #expect(statements.body.split(separator: "\"dataSignatureID\"").count == 2)
        }
    }

    @Test("attack D4: a relying service that signed a moment ago signs nothing once it was ended")
    func presumedService() async throws {
        try await TestServer.run { server in
            let bank = try await server.relyingService("bank")
            _ = try await server.person("alice")
            let body = #"{"user":"alice","payload":"p","reason":"r","authLevel":0,"authenticatorType":0}"#
            // The first is looked up, the second is presumed.
            for number in 1...2 {
                let answer = try await bank.ask("POST", "/v1/signings", ["Idempotency-Key: \(number)"], body: body)
                #expect(answer.status == 201, "\(answer.text)")
            }
            try await server.engine.lockClient(try #require(ClientName("bank")))
            for name in [[], ["Idempotency-Key: 3"], ["Idempotency-Key: 2"]] {
                let answer = try await bank.ask("POST", "/v1/signings", name, body: body)
                #expect(answer.status == 401, "\(answer.text)")
            }
            #expect(try await server.engine.status().statements == 2)
        }
    }

    @Test("a stop lets the request end that runs, and takes no more")
    func gracefulStop() async throws {
        try await TestServer.run {
            $0.stopSeconds = 300
        } _: { server in
            // A hash that takes long enough to be stopped in the middle.
            _ = try await server.engine.set(.passwordHash, to: "m=131072,t=8,p=1")
            let person = try await server.person("alice")
            let started = try await person.ask(
                "POST", "/v1/signings", body: #"{"payload":"p","reason":"r","authLevel":1,"authenticatorType":0}"#)
            let place = try #require(started.field("Location"))
            let isAnswered = Atomic(false)
            async let answer = {
                defer { isAnswered.store(true, ordering: .relaxed) }
                return try await person.ask(
                    "POST", place + "/answers", body: #"{"challengeMode":12,"password":"\#(TestServer.password)"}"#)
            }()
            // The second request in flight is the one that asks. On a busy machine the answer may come before it is seen.
            while try await !server.ask("GET", "/metrics").body.contains("countersign_requests_in_flight 2\n"),
                !isAnswered.load(ordering: .relaxed)
            {}
            server.server.beginStop()
            let result = try await answer
            #expect(result.status == 200 && result.body.contains("\"status\":\"signed\""), "\(result.text)")
            let late = try await server.ask("GET", "/v1/keys")
            #expect(late.status == 503 || late.bytes.isEmpty, "\(late.text)")
        }
    }

    @Test("attack L1: no password, token, proof or payload gets into the log or the metrics")
    func secrecy() async throws {
        try await TestServer.run {
            $0.isAccessLogged = true
        } _: { server in
            let person = try await server.person("alice")
            let canary = "canary-\(server.port)"
            for body in [
                #"{"payload":"\#(canary)","reason":"\#(canary)","authLevel":1,"authenticatorType":0}"#,
                #"{"\#(canary)":1}"#, "\(canary)",
            ] {
                _ = try await person.ask("POST", "/v1/signings", body: body)
            }
            _ = try await person.ask("GET", "/v1/statements?keyword=\(canary)")
            _ = try await person.ask("GET", "/v1/users/\(canary)")
            let holder = Caller(server, key: try PrivateKey(generating: .es256))
            _ = try await holder.ask("POST", "/v1/sessions", body: #"{"user":"\#(canary)","password":"\#(canary)"}"#)
            _ = try await holder.ask("POST", "/v1/operator/sessions", body: #"{"token":"\#(canary)"}"#)
            let metrics = try await server.ask("GET", "/metrics")
            #expect(metrics.status == 200 && metrics.body.contains("countersign_requests_total"))
            for text in [server.log.text, metrics.body] {
                #expect(!text.contains(canary))
                #expect(try !text.contains(#require(person.token)) && !text.contains("eyJ"))
            }
            #expect(server.log.text.contains("/v1/users/{user}"))
        }
    }

    @Test("attack D10: a proof counts once, for its own request, with a nonce of this service")
    func proofs() async throws {
        try await TestServer.run { server in
            let person = try await server.person("alice")
            #expect(try await person.once("GET", "/v1/sessions").body.contains("use_dpop_nonce"))
            let fields = try person.credentials("GET", "/v1/sessions")
            #expect(try await server.ask("GET", "/v1/sessions", fields).status == 200)
            #expect(try await server.ask("GET", "/v1/sessions", fields).body.contains("1824"))
            let moved = try person.credentials("GET", "/v1/sessions")
            #expect(try await server.ask("GET", "/v1/devices", moved).body.contains("1823"))
            let twice = try person.credentials("GET", "/v1/sessions")
            #expect(try await server.ask("GET", "/v1/sessions", twice + [twice[1]]).status == 401)
            #expect(try await server.ask("GET", "/v1/sessions", [twice[0]]).body.contains("1822"))
            let step = try await person.ask("GET", "/v1/sessions")
            #expect(step.status == 200 && step.field("DPoP-Nonce") != nil)
        }
    }

    @Test("RFC 9449 section 4.3: the proof of a HEAD names HEAD")
    func headProof() async throws {
        try await TestServer.run { server in
            let person = try await server.person("alice")
            #expect(try await person.ask("GET", "/v1/sessions").status == 200)
            for (method, status) in [("HEAD", 200), ("GET", 401)] {
                let fields = try person.credentials(method, "/v1/sessions") + ["Connection: close"]
                // No body follows, whatever its length would be.
                let head = "HEAD /v1/sessions HTTP/1.1\r\nHost: x\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
                #expect(try await server.send(head, untilClosed: true).status == status)
            }
        }
    }

    @Test("an address may have so many statements verified")
    func verifications() async throws {
        try await TestServer.run {
            $0.verificationsPerMinute = 3
        } _: { server in
            server.clock.stop()
            func verify(_ body: String) async throws -> Int {
                try await server.ask("POST", "/v1/verifications", body: body).status
            }
            let one = try await verify("{\"statement\":\"a\"}")
            let two = try await verify("{\"statements\":[\"a\",\"b\"]}")
            let more = try await verify("{\"statement\":\"a\"}")
            #expect([one, two, more] == [200, 200, 429])
        }
    }

    @Test("an address may try so often; a person's other requests do not suffer from it")
    func attempts() async throws {
        try await TestServer.run {
            $0.attemptsPerMinute = 5
        } _: { server in
            let person = try await server.person("alice")
            server.clock.stop()
            func guess() async throws -> Answer {
                try await server.ask(
                    "POST", "/v1/token", ["Authorization: Basic c2hvcDp3cm9uZw=="],
                    body: "grant_type=client_credentials", type: "application/x-www-form-urlencoded")
            }
            var statuses: [Int] = []
            for _ in 0..<8 { statuses.append(try await guess().status) }
            #expect(statuses == [401, 401, 401, 401, 401, 429, 429, 429])
            #expect(try await guess().field("Retry-After") != nil)
            // Whoever shares the address must still learn that a token has expired.
            let expired = Caller(server, token: "csa_" + String(repeating: "A", count: 43))
            for _ in 0..<8 { #expect(try await expired.ask("GET", "/v1/sessions").status == 401) }
            #expect(try await person.ask("GET", "/v1/sessions").status == 200)
        }
    }
}
