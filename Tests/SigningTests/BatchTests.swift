import CountersignVerifier
import Signing
import Testing

@Suite("Several payloads at once")
struct BatchTests {
    private func batch(_ payloads: [String], references: [String?] = []) throws(Refusal) -> Batch {
        try Batch(
            payloads.enumerated().map { index, text in
                Batch.Draft(
                    payload: Array(text.utf8), reference: references.indices.contains(index) ? references[index] : nil)
            })
    }

    private func request(_ payloads: [String], level: Int = 1) throws -> SigningRequest {
        try SigningRequest(
            user: Example.user(), payloads: .batch(payloads.map { Batch.Draft(payload: Array($0.utf8)) }),
            reason: "Invoice 17".utf8Span.span, level: level, type: 0, isLevelZeroAllowed: true)
    }

    @Test("O43: order and references are kept, byte for byte; the line says how many there are, and their digest")
    func kept() throws {
        let batch = try batch(["b", "a ", "e\u{301}"], references: ["2", nil, "\u{E9}"])
        #expect(batch.items.map(\.payload.text) == ["b", "a ", "e\u{301}"])
        #expect(batch.items.map(\.reference) == ["2", nil, "\u{E9}"])
        #expect(batch.digest == BatchPlace.digest(of: ["b", "a ", "e\u{301}"]))
        #expect(batch.line == "3 payloads, digest of the list \(batch.digest)")
        #expect(try self.batch(["b", "a ", "e\u{301}"], references: ["2", nil, "e\u{301}"]) != batch)
        #expect(try self.batch(["b", "a ", "\u{E9}"], references: ["2", nil, "\u{E9}"]) != batch)
    }

    @Test("O44: one payload that breaks a rule refuses all, and is named by its place; the first decides")
    func refused() throws {
        let long = String(repeating: "x", count: 501)
        let rows: [([String], Refusal)] = [
            ([], Refusal(.batchEmpty)),
            (["", "ok"], Refusal(.payloadEmpty, .item(1, nil))),
            (["ok", "", " "], Refusal(.payloadEmpty, .item(2, nil))),
            (["ok", "ok", " "], Refusal(.payloadBlank, .item(3, nil))),
            (["ok", long], Refusal(.payloadTooLong, .item(2, .characters(count: 501, limit: 500)))),
            (["ok", "a\u{202E}"], Refusal(.payloadCharacter, .item(2, .character("\u{202E}", offset: 1)))),
            (
                Array(repeating: "x", count: Batch.maxPayloads + 1),
                Refusal(.batchTooLarge, .limit(Batch.maxPayloads))
            ),
            (
                Array(repeating: String(repeating: "\u{1F600}", count: 300), count: 900),
                Refusal(.batchTooManyBytes, .limit(Batch.maxBytes))
            ),
        ]
        for (payloads, refusal) in rows { #expect(throws: refusal) { try self.batch(payloads) } }
        #expect(
            Refusal(.payloadTooLong, .item(2, .characters(count: 501, limit: 500))).text.hasSuffix(
                "It has 501 characters, and 500 are allowed. It is number 2 of the batch."))
        #expect(try batch(Array(repeating: "x", count: Batch.maxPayloads)).items.count == Batch.maxPayloads)
    }

    @Test("O44: a reference is 1 to 128 bytes without controls, and no two are the same bytes")
    func references() throws {
        let good: [[String?]] = [
            ["x", "X"], [nil, nil], [String(repeating: "r", count: 128), "r"], ["\u{E9}", "e\u{301}"], [" ", "  "],
        ]
        for references in good { #expect(try batch(["a", "b"], references: references).items.count == 2) }
        let bad: [([String?], Int)] = [
            (["x", "x"], 2), ([""], 1), ([nil, String(repeating: "r", count: 129)], 2), (["a\n"], 1), (["\u{202E}"], 1),
            ([nil, "\t"], 2),
        ]
        for (references, place) in bad {
            #expect(throws: Refusal(.batchReference, .item(place, nil))) {
                try self.batch(["a", "b"], references: references)
            }
        }
    }

    @Test("S22: 214 comes before a look at the batch, then come the payloads, then the reason")
    func order() throws {
        let user = try Example.user()
        let nothing: [UInt8] = []
        #expect(throws: Refusal(.methodNotSupported, .pair(level: 2, type: 0))) {
            try SigningRequest(
                user: user, payloads: .batch([]), reason: nothing.span, level: 2, type: 0, isLevelZeroAllowed: true)
        }
        #expect(throws: Refusal(.methodNotSupported, .levelZeroOff)) {
            try SigningRequest(
                user: user, payloads: .batch([]), reason: nothing.span, level: 0, type: 0, isLevelZeroAllowed: false)
        }
        #expect(throws: Refusal(.batchEmpty)) {
            try SigningRequest(
                user: user, payloads: .batch([]), reason: nothing.span, level: 1, type: 0, isLevelZeroAllowed: true)
        }
        #expect(throws: Refusal(.reasonEmpty)) {
            try SigningRequest(
                user: user, payloads: .batch([Batch.Draft(payload: [0x78])]), reason: nothing.span, level: 1, type: 0,
                isLevelZeroAllowed: true)
        }
    }

    @Test("O45: the claim batch names the list and the place in it; one payload by itself has none")
    func claims() throws {
        let payloads = ["one", "two", "three"]
        let order = try order(request(payloads))
        let digest = BatchPlace.digest(of: payloads)
        for (index, payload) in payloads.enumerated() {
            let claims = try order.claims(issuer: "x", id: Example.uuid(8), at: 61_000, index: index)
            #expect(claims.payload == payload && claims.reason == "Invoice 17")
            #expect(claims.reserved[.batch] == "\(digest).\(index + 1).3")
            #expect(try claims.ceremony == Example.uuid(9))
        }
        for index in [-1, 3, Int.max] {
            #expect(throws: InvalidReason.self) {
                try order.claims(issuer: "x", id: Example.uuid(8), at: 61_000, index: index)
            }
        }
        let one = try self.order(Example.request())
        #expect(try one.claims(issuer: "x", id: Example.uuid(8), at: 61_000).reserved[.batch] == nil)
        // A batch of one is a batch.
        let only = try self.order(request(["one"])).claims(issuer: "x", id: Example.uuid(8), at: 61_000)
        #expect(only.reserved[.batch] == "\(BatchPlace.digest(of: ["one"])).1.1")
    }

    @Test("Attack S7: a list with a payload swapped, moved, added or left out is another request")
    func bound() throws {
        let list = try request(["one", "two", "three"])
        for other in [
            ["one", "three", "two"], ["one", "two"], ["one", "two", "three", "three"], ["one", "two", "thre\u{435}"],
            ["one", "twothree"], ["onetwo", "three"],
        ] {
            #expect(try request(other) != list)
            #expect(try request(other).batch?.digest != list.batch?.digest)
        }
        #expect(try request(["one", "two", "three"]) == list)
    }

    private func order(_ request: SigningRequest) throws -> SigningOrder {
        var ceremony = Ceremony()
        let standing = Standing(asker: try Example.asker(), available: [.password], attemptsLeft: 3)
        _ = try ceremony.handle(.start(request, standing, id: Example.uuid(9)), at: 60_000)
        let effects = try ceremony.handle(.verified(generation: 1, .right(.password(at: 60_500))), at: 60_500)
        guard case .sign(let order) = effects.last else { throw NoOrder() }
        return order
    }

    private struct NoOrder: Error {}
}
