import CountersignVerifier
import Foundation
import Signing
import Testing

struct TextTable: Codable {
    struct Text: Codable, Sendable, CustomTestStringConvertible {
        let name: String
        let field: String
        let parts: [Part]?
        let hex: String?
        let length: Int?
        let accepted: Bool?
        let refusal: String?
        let count: Int?
        let limit: Int?
        let offset: Int?
        let scalar: String?
        var testDescription: String { "\(field): \(name)" }

        var bytes: [UInt8] {
            let digits = Array((hex ?? "").utf8)
            let fromHex = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
            }
            return fromHex
                + (parts ?? []).flatMap { part in
                    Array(String(repeating: part.text, count: part.times).utf8)
                }
        }

        var fact: Refusal.Fact? {
            if let count, let limit {
                return refusal?.hasSuffix("bytes") == true
                    ? .bytes(count: count, limit: limit) : .characters(count: count, limit: limit)
            }
            if let offset, let scalar {
                return UInt32(scalar, radix: 16).flatMap(Unicode.Scalar.init).map { .character($0, offset: offset) }
            }
            return offset.map { .notUTF8(offset: $0) }
        }
    }

    /// `[text, times]`.
    struct Part: Codable, Sendable {
        let text: String
        let times: Int

        init(from decoder: any Decoder) throws {
            var pair = try decoder.unkeyedContainer()
            text = try pair.decode(String.self)
            times = try pair.decode(Int.self)
        }

        func encode(to encoder: any Encoder) throws {
            var pair = encoder.unkeyedContainer()
            try pair.encode(text)
            try pair.encode(times)
        }
    }
    let texts: [Text]
}

@Suite("What may be asked to be signed")
struct SigningRequestTests {
    @Test(
        "S01, S02, S24-S26, O06; attacks W1-W5: payload and reason",
        arguments: try Table.load(TextTable.self, from: "text.json").texts)
    func text(_ text: TextTable.Text) throws {
        let bytes = text.bytes
        let other = Array("x".utf8)
        let isPayload = text.field == "payload"
        try #require(isPayload || text.field == "reason")
        let user = try Example.user()
        do throws(Refusal) {
            let request = try SigningRequest(
                user: user, payload: isPayload ? bytes.span : other.span, reason: isPayload ? other.span : bytes.span,
                level: 1, type: 0, isLevelZeroAllowed: false)
            let parsed = isPayload ? request.payload : request.reason
            #expect(text.refusal == nil, "it stands")
            #expect(Array(parsed.text.utf8) == bytes)
            if text.accepted != true { #expect(parsed.length == text.length) }
            if isPayload { #expect(request.payloadLength == parsed.length) }
        } catch {
            #expect(error.name == text.refusal)
            #expect(error.fact == text.fact)
        }
    }

    @Test("Attack W3: composed and decomposed are two requests")
    func bytes() throws {
        let composed = try Example.request(payload: "\u{E9}")
        let decomposed = try Example.request(payload: "e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed, composed]).count == 2)
    }

    @Test(
        "S22: 214 comes before payload, reason and audience are looked at", arguments: [(2, 0), (3, 0), (4, 2), (0, 1)])
    func matrixFirst(level: Int, type: Int) throws {
        let user = try Example.user()
        let notUTF8: [UInt8] = [0xFF]
        #expect(throws: Refusal(.methodNotSupported, .pair(level: level, type: type))) {
            try SigningRequest(
                user: user, payload: notUTF8.span, reason: notUTF8.span, level: level, type: type, audience: " ",
                isLevelZeroAllowed: true)
        }
    }

    @Test("O10: level 0 only where it is switched on; 214 before the payload otherwise")
    func levelZero() throws {
        let request = try Example.request(level: 0)
        #expect(request.level == .none && request.type == .none && request.authentication == .none)
        #expect(throws: Refusal(.methodNotSupported, .levelZeroOff)) {
            try Example.request(payload: "", level: 0, isLevelZeroAllowed: false)
        }
        #expect(try Example.request(level: 4, type: 1, isLevelZeroAllowed: false).authentication == .idv)
    }

    @Test("Payload, then reason, then audience")
    func order() {
        #expect(throws: Refusal(.payloadEmpty)) { try Example.request(payload: "", reason: "", audience: "") }
        #expect(throws: Refusal(.reasonEmpty)) { try Example.request(reason: "", audience: "") }
        #expect(throws: Refusal(.audienceMalformed)) { try Example.request(audience: "") }
    }

    @Test("An audience is 1...255 visible ASCII characters")
    func audience() throws {
        let good = ["x", "https://shop.example/a?b=c#d", "urn:x:y", String(repeating: "a", count: 255), "~!"]
        for text in good { #expect(try Example.request(audience: text).audience == text) }
        let bad = [
            " ", "a b", "a\n", "\u{7F}", "caf\u{E9}", "\u{202E}x", String(repeating: "a", count: 256), "\u{212A}",
        ]
        for text in bad {
            #expect(throws: Refusal(.audienceMalformed)) { try Example.request(audience: text) }
        }
        #expect(try Example.request().audience == nil)
    }
}
