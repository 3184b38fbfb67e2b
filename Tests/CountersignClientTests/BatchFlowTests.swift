import CountersignClient
import CountersignKeys
import CountersignVerifier
import Outbound
import Signing
import Testing
import Wire

@Suite("A batch through the client")
struct BatchFlowTests {
    private static let id = "0f8fad5b-d9cb-4a2e-8c1f-2d8ae3c1b7e4"
    private static let texts = ["Pay 5.00 EUR", "Pay 7.00 EUR"]
    private static let items = [BatchItem(payload: texts[0], reference: "r1"), BatchItem(payload: texts[1])]

    /// A result of this payload, whose statement has another claim `batch` where one is given.
    private static func result(of payload: String, batch: String?, ceremony: String = id) throws -> SignedResult {
        var reserved = ReservedClaims()
        if let batch { try reserved.set(.batch, to: batch) }
        let claims = try Claims(
            issuer: "https://sign.example", subject: #require(UserName("alice")), audience: nil,
            issuedAt: 1_767_225_600,
            id: #require(UUIDText(SecureRandom.uuid())), payload: payload, reason: "Payroll", level: .one,
            authenticatorType: .none, methods: [.pwd], authTime: 1_767_225_600, device: nil,
            ceremony: #require(UUIDText(ceremony)), reserved: reserved)
        let signer = StatementSigner(try PrivateKey(generating: .es256))
        return SignedResult(claims: claims, statement: try StatementText.sign(claims, with: signer))
    }

    /// The signing of a list, waiting or signed.
    private static func signing(
        _ texts: [String] = texts, references: [String?] = ["r1", nil], results: [SignedResult]? = nil,
        digest: String? = nil, state: SigningMessage.State? = nil
    ) throws -> SigningMessage {
        let digest = digest ?? BatchPlace.digest(of: texts)
        let items = texts.indices.map { index in
            let result = results.flatMap { $0.indices.contains(index) ? $0[index] : nil }
            return BatchItemMessage(
                reference: references[index], payload: result == nil ? texts[index] : nil, result: result)
        }
        let state = state ?? (results == nil ? .challenged : .signed)
        return SigningMessage(
            id: try #require(UUIDText(id)), state: state, user: "alice", statusCode: 100,
            challengeMode: state == .challenged ? 12 : nil, generation: state == .challenged ? 1 : nil,
            method: state == .challenged ? "password" : nil, attemptsLeft: state == .challenged ? 3 : nil,
            payload: "2 payloads, digest of the list \(digest)", reason: "Payroll", level: 1, authenticatorType: 0,
            issuedAt: 1, expiresAt: state == .challenged ? 120_001 : nil,
            batch: BatchMessage(digest: digest, items: items))
    }

    private static func signed() throws -> SigningMessage {
        let digest = BatchPlace.digest(of: texts)
        return try signing(
            results: texts.enumerated().map { try result(of: $1, batch: "\(digest).\($0 + 1).\(texts.count)") })
    }

    private func account(
        _ profiles: TemporaryProfiles,
        _ answer: @escaping @Sendable (OutboundRequest) throws -> ScriptedExchange.Outcome
    ) async throws -> (Account, ScriptedExchange) {
        let fake = FakeService()
        let exchange = ScriptedExchange { request, _ in
            if request.path == "/v1/sessions" { return fake.answer(request) }
            return (try? answer(request)) ?? .text(500)
        }
        let account = try profiles.account(exchange)
        try await account.logIn(user: "alice", password: Secret("password"))
        return (account, exchange)
    }

    @Test("O43: asked, challenged with the list, answered, a result for each payload with its reference")
    func flow() async throws {
        let profiles = try TemporaryProfiles()
        let (account, exchange) = try await account(profiles) { request in
            .json(200, try request.path == "/v1/batches" ? Self.signing() : Self.signed())
        }
        let signing = try await account.startBatch(payloads: Self.items, reason: "Payroll")
        #expect(signing.state == .challenged && signing.batch?.map(\.payload) == Self.texts)
        #expect(signing.payload.hasPrefix("2 payloads, digest of the list ") && signing.result == nil)
        let signed = try await signing.answer(with: Secret("password"))
        #expect(signed.state == .signed && signed.result == nil)
        #expect(signed.batch?.map(\.result?.payload) == Self.texts)
        #expect(signed.batch?.map(\.reference) == ["r1", nil])
        let body = exchange.requests.first { $0.path == "/v1/batches" }?.body ?? []
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"payloads":[{"payload":"Pay 5.00 EUR","reference":"r1"},{"payload":"Pay 7.00 EUR"}],"reason":"Payroll","authLevel":1,"authenticatorType":0}"#
        )
    }

    @Test("Attack A9: the reply to a right answer is lost: the results are fetched, the password not sent again")
    func lostReply() async throws {
        let profiles = try TemporaryProfiles()
        let (account, exchange) = try await account(profiles) { request in
            if request.path == "/v1/batches" { return .json(201, try Self.signing()) }
            return request.method == "POST" ? .lost : .json(200, try Self.signed())
        }
        let signing = try await account.startBatch(payloads: Self.items, reason: "Payroll")
        #expect(try await signing.answer(with: Secret("password")).batch?.compactMap(\.result).count == 2)
        #expect(exchange.requests.count { $0.path.hasSuffix("/answers") } == 1)
    }

    @Test("O44: which payload is refused comes with the refusal")
    func refused() async throws {
        let profiles = try TemporaryProfiles()
        let (account, _) = try await account(profiles) { _ in .refused(Refusal(.payloadBlank, .item(2, nil))) }
        let error = await failure { _ = try await account.startBatch(payloads: Self.items, reason: "Payroll") }
        #expect(error?.refusal?.code == 1001 && error?.refusal?.position == 2)
    }

    @Test("Attack S7: a service that asks for or signs another list, or in another order, is not believed")
    func substitution() async throws {
        let (texts, digest) = (Self.texts, BatchPlace.digest(of: Self.texts))
        func results(_ claims: [String?], of payloads: [String] = Self.texts, ceremony: String = Self.id) throws
            -> [SignedResult]
        {
            try zip(payloads, claims).map { try Self.result(of: $0, batch: $1, ceremony: ceremony) }
        }
        let right: [String?] = ["\(digest).1.2", "\(digest).2.2"]
        var single = try Self.signing()
        single = SigningMessage(
            id: single.id, state: .challenged, user: "alice", statusCode: 100, challengeMode: 12, generation: 1,
            method: "password", attemptsLeft: 3, payload: single.payload, reason: "Payroll", level: 1,
            authenticatorType: 0, issuedAt: 1, expiresAt: 120_001)
        let others = [
            try Self.signing([texts[1], texts[0]]), try Self.signing([texts[0]], references: ["r1"]),
            try Self.signing(texts + ["Pay 9.00 EUR"], references: ["r1", nil, nil]),
            try Self.signing([texts[0], "Pay 900.00 EUR"]), try Self.signing(references: ["r1", "r2"]),
            try Self.signing(references: [nil, nil]), try Self.signing(digest: BatchPlace.digest(of: ["x"])), single,
            try Self.signing(state: .signed),
            try Self.signing(results: Array(results(right).prefix(1)), state: .signed),
            try Self.signing(results: results([right[1], right[0]])),
            try Self.signing(results: results([nil, nil])),
            try Self.signing(results: results([right[0], "\(digest).2.3"])),
            try Self.signing(results: results(right, of: [texts[1], texts[0]])),
            try Self.signing(results: results(right, ceremony: "9d3c1a52-0c7e-4b9f-a6f4-6a2f1b0c8d33")),
        ]
        let profiles = try TemporaryProfiles()
        for (number, other) in others.enumerated() {
            let (account, _) = try await account(profiles) { _ in .json(201, other) }
            let error = await failure { _ = try await account.startBatch(payloads: Self.items, reason: "Payroll") }
            #expect(error?.isProtocolViolation == true, "\(number)")
        }
        // Nor one that answers a single text with a list.
        let (account, _) = try await account(profiles) { _ in .json(201, try Self.signing()) }
        let line = try Self.signing().payload
        let error = await failure { _ = try await account.startSigning(payload: line, reason: "Payroll") }
        #expect(error?.isProtocolViolation == true)
    }
}
