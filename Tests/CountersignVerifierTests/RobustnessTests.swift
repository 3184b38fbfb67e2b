import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Foundation
import Testing

@Suite("Hostile texts")
struct RobustnessTests {
    /// How many mutants each of the eight runs tries; `COUNTERSIGN_MUTANTS` asks for more.
    private static let count = ProcessInfo.processInfo.environment["COUNTERSIGN_MUTANTS"].flatMap { Int($0) } ?? 2_500

    private static let dictionary: [[UInt8]] =
        [
            "\"", "\\", "{", "}", "[", "]", ",", ":", ".", "..", "=", "-", "_", "+", "0", "-1", "1e9",
            "9223372036854775808",
            "null", "true", "\n", "\r\n", " ", "\u{0}", "\\u0000", "\\ud800", "\\n", "\u{FEFF}", "\u{202E}",
            "\u{1F600}",
            "e\u{301}", "\"iss\":\"a\",", "\"aud\":\"a\",", ",\"quorum\":\"a\"", "\"alg\":\"none\"",
            "\"crit\":[\"b64\"],", "[[[[",
            "{\"a\":", "\"amr\":[\"idv\"],", "pwd", "\"pwd\",", "A", "AA", "AAAA",
        ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80]]

    /// One to three changes at random places.
    private static func mutate(_ bytes: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &numbers) {
            let place = Int.random(in: 0...bytes.count, using: &numbers)
            let end = min(bytes.count, place + Int.random(in: 0...8, using: &numbers))
            let piece = dictionary.randomElement(using: &numbers) ?? []
            switch Int.random(in: 0..<8, using: &numbers) {
            case 0: bytes.replaceSubrange(place..<end, with: piece)
            case 1: bytes.insert(contentsOf: piece, at: place)
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &numbers), at: place)
            case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 5: bytes = Array(bytes[..<place])
            case 6:
                let other = Int.random(in: 0...bytes.count, using: &numbers)
                bytes.insert(contentsOf: bytes[place..<end], at: other)
            default:
                if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers) }
            }
        }
        return bytes
    }

    @Test("V21: no mutant of a good statement is valid with other bytes, and none traps", arguments: 0..<4)
    func texts(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let session = StatementVerifier(trust: Keys.trust, policy: Judge.lenient).makeSession()
        let good = try KeyAlgorithm.allCases.map { try Draft.full.text(Keys.trusted($0)) }
        for _ in 0..<Self.count {
            guard let text = good.randomElement(using: &numbers) else { continue }
            let mutant = Self.mutate(text, &numbers)
            guard mutant != text, mutant != text + [UInt8(ascii: "\n")] else { continue }
            if session.code(mutant) == "valid" { Issue.record("valid: \(mutant)") }
        }
    }

    @Test(
        "V21: a mutant of header or claims that is rightly signed is valid only if it is the one text", arguments: 4..<8
    )
    func signed(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let session = StatementVerifier(trust: Keys.trust, policy: Judge.lenient).makeSession()
        let key = try Keys.trusted(.edDSA)
        let signer = key.makeSigner()
        let writer = StatementSigner(key)
        let drafts = [Draft.example, .full, .level(0), .level(4)]
        let header = Array(Draft.example.header.replacing("ALG", with: "EdDSA").replacing("KID", with: key.keyID).utf8)
        var valid = 0
        for _ in 0..<Self.count {
            let claims = Array((drafts.randomElement(using: &numbers) ?? .example).json.utf8)
            let isHeader = Int.random(in: 0..<8, using: &numbers) == 0
            let input = Compact.signingInput(
                header: isHeader ? Self.mutate(header, &numbers) : header,
                payload: isHeader ? claims : Self.mutate(claims, &numbers))
            let text = Compact.join(input, signature: try signer.sign(input.span))
            guard case .valid(let statement) = session.verify(text.span, at: Judge.now) else { continue }
            valid += 1
            // Ed25519 has one signature for one text, so what was read must be written as the same bytes.
            #expect(try StatementText.sign(statement.claims, with: writer) == text)
            #expect(Reference.accepts(input: input, key))
        }
        #expect(valid > 0, "some mutants are statements too")
    }

    @Test("V21: what a session knows of one text changes nothing about the next, a mutant of it", arguments: 8..<12)
    func known(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let verifier = StatementVerifier(trust: Keys.trust, policy: Judge.lenient)
        let session = verifier.makeSession()
        let key = try Keys.trusted(.es256)
        let drafts = [Draft.example, .full, .level(0), .level(4)]
        let good = try drafts.map { try $0.text(key) }
        var codes: Set<String> = []
        for _ in 0..<Self.count {
            let place = Int.random(in: drafts.indices, using: &numbers)
            // Format comes before signature, so the signature need not be right.
            let parts = Compact.parts(good[place])
            let claims = Self.mutate(Array(drafts[place].json.utf8), &numbers)
            let mutant = Array("\(parts[0]).\(Base64URL.encode(claims.span)).\(parts[2])".utf8)
            #expect(session.code(good[place]) == "valid")
            let code = session.code(mutant)
            codes.insert(code)
            if code != verifier.verify(mutant, at: Judge.now).code { Issue.record("\(code): \(mutant)") }
        }
        #expect(codes.count > 10)
    }

    @Test("Random bytes of every length", arguments: [0x00...0xFF, 0x20...0x7E, 0x2D...0x7A] as [ClosedRange<UInt8>])
    func noise(range: ClosedRange<UInt8>) throws {
        var numbers = SeededNumbers(seed: 9)
        let session = StatementVerifier(trust: Keys.trust, policy: Judge.lenient).makeSession()
        let pin = try Keys.root().keyID
        for length in 0..<400 {
            let noise = (0..<length).map { _ in UInt8.random(in: range, using: &numbers) }
            #expect(session.code(noise) != "valid")
            #expect(session.code(Array("{".utf8) + noise) != "valid")
            for first in ["", "{", "-----BEGIN PUBLIC KEY-----", "e"] {
                #expect(refusal(of: Array(first.utf8) + noise, root: first == "e" ? pin : nil) != nil)
            }
        }
    }

    @Test("V15: bombs are refused in time, rightly signed too")
    func bombs() throws {
        let depth = 10_000
        let bombs = [
            String(repeating: "[", count: depth), String(repeating: "{\"a\":", count: 2000),
            String(repeating: "\"", count: depth),
            "{\"iss\":\"" + String(repeating: "\\", count: depth),
            "{\"iss\":\"" + String(repeating: "\\u0001", count: 1800),
            "{\"iss\":\"a\",\"sub\":\"a\",\"iat\":" + String(repeating: "9", count: depth),
            String(repeating: "{", count: depth),
            "{" + (0..<1000).map { "\"\($0)\":\($0)" }.joined(separator: ",") + "}",
            String(repeating: "\u{301}", count: 5000),
        ]
        for bomb in bombs {
            let texts = try [
                Draft.example.with(claims: Array(bomb.utf8)).text(), Draft.example.with(header: bomb).text(),
                Array(bomb.utf8),
            ]
            for text in texts {
                let verifier = StatementVerifier(trust: Keys.trust, policy: Judge.lenient)
                let time = ContinuousClock().measure { #expect(verifier.verify(text, at: 0).code != "valid") }
                #expect(time < .seconds(2))
            }
        }
    }
}
