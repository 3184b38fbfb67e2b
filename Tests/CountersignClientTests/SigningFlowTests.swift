import CountersignClient
import CountersignKeys
import CountersignVerifier
import Outbound
import Signing
import Testing
import Wire

@Suite("A signing through the client")
struct SigningFlowTests {
    private static let id = "0f8fad5b-d9cb-4a2e-8c1f-2d8ae3c1b7e4"

    /// A result whose statement says the same, or that another text was signed, for somebody else, in another ceremony.
    private static func result(
        of payload: String, signing signed: String? = nil, by user: String = "alice", ceremony: String = id,
        statement other: String? = nil
    ) throws -> SignedResult {
        let claims = try Claims(
            issuer: "https://sign.example", subject: #require(UserName(user)), audience: nil, issuedAt: 1_767_225_600,
            id: #require(UUIDText("5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70")), payload: signed ?? payload,
            reason: "Invoice 17", level: .one, authenticatorType: .none, methods: [.pwd], authTime: 1_767_225_600,
            device: nil,
            ceremony: #require(UUIDText(ceremony)))
        let signer = StatementSigner(try PrivateKey(generating: .es256))
        let statement = try other ?? String(decoding: StatementText.sign(claims, with: signer), as: UTF8.self)
        let told =
            #"{"dataPayload":"\#(payload)","dataPayloadLength":\#(payload.count),"reason":"Invoice 17","payloadSignature":""#
            + statement
            + #"","dataSignatureID":"\#(claims.id.text)","authLevel":1,"authenticatorType":0}"#
        return try SignedResult(Array(told.utf8).span)
    }

    private static func signing(
        _ state: SigningMessage.State, left: Int? = 3, payload: String = "Pay 5.00 EUR to Bob", resultOf: String? = nil,
        result other: SignedResult? = nil
    ) throws -> SigningMessage {
        let result = state == .signed ? try other ?? result(of: resultOf ?? payload) : nil
        return SigningMessage(
            id: try #require(UUIDText(id)), state: state, user: "alice", statusCode: state == .failed ? 153 : 100,
            challengeMode: state == .challenged ? 12 : nil, generation: state == .challenged ? 1 : nil,
            method: state == .challenged ? "password" : nil, attemptsLeft: state == .challenged ? left : nil,
            payload: payload, reason: "Invoice 17", level: 1, authenticatorType: 0, issuedAt: 1,
            expiresAt: state == .challenged ? 120_001 : nil, result: result)
    }

    /// An account that is logged in; the rest is answered by the closure, which is given how many answers came.
    private func account(
        _ profiles: TemporaryProfiles,
        _ answer: @escaping @Sendable (OutboundRequest, Int) throws -> ScriptedExchange.Outcome
    ) async throws -> (Account, ScriptedExchange) {
        let fake = FakeService()
        let exchange = ScriptedExchange { request, index in
            if request.path == "/v1/sessions" { return fake.answer(request) }
            return (try? answer(request, index)) ?? .text(500)
        }
        let account = try profiles.account(exchange)
        try await account.logIn(user: "alice", password: Secret("password"))
        return (account, exchange)
    }

    private func answers(_ exchange: ScriptedExchange) -> [OutboundRequest] {
        exchange.requests.filter { $0.path.hasSuffix("/answers") }
    }

    @Test("S13: asked, challenged, answered, signed")
    func flow() async throws {
        let profiles = try TemporaryProfiles()
        let (account, exchange) = try await account(profiles) { request, _ in
            .json(200, try Self.signing(request.path == "/v1/signings" ? .challenged : .signed))
        }
        let signing = try await account.startSigning(payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
        #expect(signing.state == .challenged && signing.challengeMode == 12 && signing.attemptsLeft == 3)
        let signed = try await signing.answer(with: Secret("password"))
        #expect(signed.state == .signed && signed.result?.payload == "Pay 5.00 EUR to Bob")
        let body = String(decoding: answers(exchange)[0].body ?? [], as: UTF8.self)
        #expect(body == #"{"challengeMode":12,"generation":1,"password":"password"}"#)
        try await signed.reset()
        try await account.resetSigning()
    }

    @Test(
        "S31: a wrong password is a refusal with the attempts left; the same challenge is answered again with another key"
    )
    func wrong() async throws {
        let profiles = try TemporaryProfiles()
        let (account, exchange) = try await account(profiles) { request, _ in
            request.path == "/v1/signings"
                ? .json(201, try Self.signing(.challenged)) : .refused(Refusal(.authenticationFailed, .attemptsLeft(2)))
        }
        let signing = try await account.startSigning(payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
        for _ in 0..<2 {
            let refusal = await failure { _ = try await signing.answer(with: Secret("wrong")) }?.refusal
            #expect(refusal?.code == 102 && refusal?.attemptsLeft == 2 && refusal?.statusCode == 102)
        }
        #expect(Set(answers(exchange).compactMap { $0.header("Idempotency-Key") }).count == 2)
    }

    @Test(
        "attack A9: the reply to a right answer is lost: the result is fetched by the id, the password not sent again")
    func lostReply() async throws {
        let profiles = try TemporaryProfiles()
        let (account, exchange) = try await account(profiles) { request, _ in
            if request.path == "/v1/signings" { return .json(201, try Self.signing(.challenged)) }
            return request.method == "POST" ? .lost : .json(200, try Self.signing(.signed))
        }
        let signing = try await account.startSigning(payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
        let signed = try await signing.answer(with: Secret("password"))
        #expect(signed.result?.payload == "Pay 5.00 EUR to Bob" && answers(exchange).count == 1)
        #expect(try await account.signing(Self.id).result?.payload == "Pay 5.00 EUR to Bob")
    }

    @Test("The reply to a wrong answer is lost: it is asked for again under the same key, and costs one attempt")
    func lostRefusal() async throws {
        let profiles = try TemporaryProfiles()
        let (account, exchange) = try await account(profiles) { request, index in
            if request.path == "/v1/signings" { return .json(201, try Self.signing(.challenged)) }
            guard request.method == "POST" else { return .json(200, try Self.signing(.challenged, left: 2)) }
            // Still being checked; then the reply that was kept.
            if index < 4 { return .lost }
            return index < 6
                ? .refused(Refusal(.idempotencyRunning)) : .refused(Refusal(.authenticationFailed, .attemptsLeft(2)))
        }
        let signing = try await account.startSigning(payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
        let refusal = await failure { _ = try await signing.answer(with: Secret("wrong")) }?.refusal
        #expect(refusal?.code == 102 && refusal?.attemptsLeft == 2)
        #expect(answers(exchange).count == 3)
        #expect(Set(answers(exchange).map { $0.header("Idempotency-Key") }).count == 1)
    }

    @Test("O01: replies are lost until no attempt is left: the signing says so")
    func lostLast() async throws {
        let profiles = try TemporaryProfiles()
        let (account, exchange) = try await account(profiles) { request, _ in
            if request.path == "/v1/signings" { return .json(201, try Self.signing(.challenged)) }
            return request.method == "POST" ? .lost : .json(200, try Self.signing(.failed))
        }
        let signing = try await account.startSigning(payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
        let refusal = await failure { _ = try await signing.answer(with: Secret("wrong")) }?.refusal
        #expect(refusal?.code == 102 && refusal?.attemptsLeft == 0 && refusal?.statusCode == 153)
        #expect(answers(exchange).count == 1)
    }

    @Test("An answer that never arrived is sent again with its key")
    func lostAnswer() async throws {
        let profiles = try TemporaryProfiles()
        let (account, exchange) = try await account(profiles) { request, index in
            if request.path == "/v1/signings" { return .json(201, try Self.signing(.challenged)) }
            guard request.method == "POST" else { return .json(200, try Self.signing(.challenged)) }
            return index < 4 ? .lost : .json(200, try Self.signing(.signed))
        }
        let signing = try await account.startSigning(payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
        #expect(try await signing.answer(with: Secret("password")).state == .signed)
        let sent = answers(exchange)
        #expect(sent.count == 2 && Set(sent.map { $0.header("Idempotency-Key") }).count == 1)
    }

    @Test("S17, attack S7: a service that signs something else than was asked for is not believed")
    func substitution() async throws {
        let profiles = try TemporaryProfiles()
        let text = "Pay 5.00 EUR to Bob"
        let others = [
            try Self.signing(.challenged, payload: "Pay 9.00 EUR to Bob"),
            try Self.signing(.signed, resultOf: "Pay 9.00 EUR to Bob"),
            // The same text to Swift's ==, other bytes.
            try Self.signing(.challenged, payload: "Pay 5.00 EUR to Bob\u{200C}"),
            // What is told is as asked for; the statement is not.
            try Self.signing(.signed, result: Self.result(of: text, signing: "Pay 9.00 EUR to Bob")),
            try Self.signing(.signed, result: Self.result(of: text, by: "mallory")),
            try Self.signing(
                .signed, result: Self.result(of: text, ceremony: "9d3c1a52-0c7e-4b9f-a6f4-6a2f1b0c8d33")),
            try Self.signing(.signed, result: Self.result(of: text, statement: "a.b.c")),
        ]
        for other in others {
            let (account, _) = try await account(profiles) { _, _ in .json(201, other) }
            let error = await failure {
                _ = try await account.startSigning(payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17")
            }
            #expect(error?.isProtocolViolation == true)
        }
    }
}
