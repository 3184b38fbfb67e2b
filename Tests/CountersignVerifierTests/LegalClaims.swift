import CountersignVerifier
import Testing

/// Claims that are legal, and the draft that says the same in JSON.
struct LegalClaims {
    /// The claims.
    let claims: Claims
    /// The same, as text.
    let draft: Draft

    private static let ids = [
        "0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a11", "5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70",
        "9d3c1a52-0c7e-4b9f-a6f4-6a2f1b0c8d33",
    ]

    /// The optional claims that do not depend on the level.
    static let optional: [ClaimName] = [.audience, .device] + reservedNames
    private static let reservedNames: [ClaimName] = [.request, .notification, .template, .batch, .evidence, .quorum]

    /// Claims of a level with these optional claims; every text is made by `text`, which is given the most bytes.
    init(
        level: AuthLevel, optional: Set<ClaimName>, methods: [AuthenticationMethod], issuedAt: Int64 = Judge.now,
        authTime: Int64 = Judge.now, text: (ClaimName, Int) -> String
    ) throws {
        var draft = Draft.level(level.rawValue)
        let issuer = text(.issuer, 255)
        let subject = try #require(UserName(text(.subject, 64)))
        let audience = optional.contains(.audience) ? text(.audience, 255) : nil
        let (payload, reason) = (text(.payload, 4096), text(.reason, 1024))
        let id = try #require(UUIDText(Self.ids[0]))
        let ceremony = try #require(UUIDText(Self.ids[1]))
        let device = optional.contains(.device) ? UUIDText(Self.ids[2]) : nil
        draft["iss"] = quoted(issuer)
        draft["sub"] = quoted(subject.text)
        draft["aud"] = audience.map(quoted)
        draft["iat"] = "\(issuedAt)"
        draft["payload"] = quoted(payload)
        draft["reason"] = quoted(reason)
        draft["device"] = device.map { quoted($0.text) }
        if level != .none {
            draft["amr"] = "[" + methods.map { quoted($0.rawValue) }.joined(separator: ",") + "]"
            draft["auth_time"] = "\(authTime)"
        }
        var reserved = ReservedClaims()
        // A quorum is one of a request.
        let optional = optional.contains(.quorum) ? optional.union([.request]) : optional
        for name in Self.reservedNames where optional.contains(name) {
            let value = text(name, 255)
            try reserved.set(name, to: value)
            draft[name.rawValue] = quoted(value)
        }
        claims = try Claims(
            issuer: issuer, subject: subject, audience: audience, issuedAt: issuedAt, id: id, payload: payload,
            reason: reason, level: level, authenticatorType: level == .four ? .idvServerBiometric : .none,
            methods: level == .none ? [] : methods, authTime: level == .none ? nil : authTime, device: device,
            ceremony: ceremony, reserved: reserved)
        self.draft = draft
    }

    /// Claims of any kind.
    static func random(_ numbers: inout SeededNumbers) throws -> LegalClaims {
        var methods = AuthenticationMethod.allCases.filter { $0 != .idv && $0 != .idvTest }.shuffled(using: &numbers)
        methods = Array(methods.prefix(Int.random(in: 1...8, using: &numbers)))
        let level = AuthLevel.allCases.randomElement(using: &numbers) ?? .one
        if level == .four { methods.append(Bool.random(using: &numbers) ? .idv : .idvTest) }
        let issuedAt = Int64.random(in: 0...1 << Int64.random(in: 0...52, using: &numbers), using: &numbers)
        var source = numbers
        let made = try LegalClaims(
            level: level, optional: Set(optional.filter { _ in Bool.random(using: &numbers) }),
            methods: methods.shuffled(using: &numbers), issuedAt: issuedAt,
            authTime: Int64.random(in: 0...issuedAt, using: &numbers)
        ) { RandomText.make($0, atMost: $1, &source) }
        numbers = source
        return made
    }
}

/// Texts that a claim may have.
private enum RandomText {
    private static let pieces: [[String]] = [
        ["a", "Z", "7", " ", "\"", "\\", "/", "<", "&", "{", "\\n", "\\u0000"],
        [
            "\u{E9}", "e\u{301}", "\u{DF}", "\u{3A9}", "\u{2126}", "\u{212A}", "\u{20AC}", "\u{5D0}", "\u{627}",
            "\u{4F60}",
        ],
        [
            "\u{1F600}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1F1E9}\u{1F1EA}", "\u{1F44D}\u{1F3FD}",
            "\u{10FFFD}",
        ],
        [
            "\u{200B}", "\u{FEFF}", "\u{AD}", "\u{2060}", "\u{3000}", "\u{A0}", "\u{FE0F}", "\u{E0041}", "\u{2800}",
            "\u{E000}",
        ],
    ]

    static func make(_ claim: ClaimName, atMost limit: Int, _ numbers: inout SeededNumbers) -> String {
        switch claim {
        case .subject:
            let length = Int.random(in: 0..<limit, using: &numbers)
            let tail = (0..<length).compactMap { _ in "abcxyz0189._@-".randomElement(using: &numbers) }
            return "a" + String(tail)
        case .quorum:
            let required = Int.random(in: 1...Quorum.maxRequired, using: &numbers)
            return "\(required)/\(Int.random(in: required...Quorum.maxAsked, using: &numbers))"
        case .issuer, .audience:
            let length = Int.random(in: 1...limit, using: &numbers)
            return String(
                decoding: (0..<length).map { _ in UInt8.random(in: 0x21...0x7E, using: &numbers) }, as: UTF8.self)
        default:
            break
        }
        // Short ones mostly, so that a test of many is quick.
        let room = Int.random(in: 0..<20, using: &numbers) == 0 ? limit : min(limit, 100)
        let length = Int.random(in: 1...room, using: &numbers)
        var text = ""
        while true {
            var piece = pieces.randomElement(using: &numbers)?.randomElement(using: &numbers) ?? "a"
            if claim == .payload, Int.random(in: 0..<20, using: &numbers) == 0 { piece = "\n\t" }
            guard text.utf8.count + piece.utf8.count <= length else { break }
            text += piece
        }
        return text.isEmpty ? "x" : text
    }
}
