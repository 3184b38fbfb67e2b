import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Testing

@Suite("Hostile bundles")
struct HostileBundleTests {
    private static let pieces: [[UInt8]] =
        [
            "\"", "\\", "{", "}", "[", "]", ",", ":", ".", "=", "-", "1", "2", "null", "true", "\n", " ", "\u{0}",
            "\\n", "\\u0065", "\u{FEFF}", "[[[[", "{\"a\":", #""bundle":1,"#, #""evidence":[]"#,
            #","keys":{"keys":[]}"#,
            #"{"bundle":2"#, "e",
        ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]]

    @Test("V21: no mutant of a good bundle is valid with other bytes, and none traps", arguments: 0..<4)
    func mutants(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let names = ["alice", "bob", "carol"]
        let keys = String(decoding: TrustFiles.jwks([try Keys.trusted(.es256).publicKey]), as: UTF8.self)
        let good = Crowd.text(try names.map { try Crowd.statement($0) }, keys: keys)
        let session = StatementVerifier(trust: Keys.trust).makeSession()
        #expect(session.bundleCode(good) == "valid")
        for _ in 0..<500 {
            var mutant = good
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let place = Int.random(in: 0...mutant.count, using: &numbers)
                let end = min(mutant.count, place + Int.random(in: 0...8, using: &numbers))
                let piece = Self.pieces.randomElement(using: &numbers) ?? []
                switch Int.random(in: 0..<4, using: &numbers) {
                case 0: mutant.replaceSubrange(place..<end, with: piece)
                case 1: mutant.removeSubrange(place..<end)
                case 2: mutant.insert(contentsOf: mutant[place..<end], at: place)
                default: if place < mutant.count { mutant[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers) }
                }
            }
            guard mutant != good, mutant != good + [UInt8(ascii: "\n")] else { continue }
            let verdict = session.verifyBundle(mutant.span, at: Judge.now)
            // Another key in it changes no verdict: a mutant that is still a public key was never looked at.
            guard verdict.code == "valid" else { continue }
            let read = try Crowd.bundle(mutant).statements
            let original = try Crowd.bundle(good).statements
            #expect(read == original, "\(mutant)")
        }
    }

    @Test("V15: bombs are refused in time and without a crash")
    func bombs() {
        let depth = 100_000
        let bombs = [
            #"{"bundle":"# + String(repeating: "[", count: depth),
            #"{"bundle":1,"statements":"# + String(repeating: "[", count: depth),
            #"{"bundle":1,"statements":["# + String(repeating: #""","#, count: depth / 2),
            #"{"bundle":1,"statements":[""# + String(repeating: "\\u0001", count: depth / 3),
            #"{"bundle":1,"statements":[""],"evidence":"# + String(repeating: "[", count: depth),
            #"{"bundle":1,"statements":[""],"evidence":[],"keys":"# + String(repeating: "[", count: depth),
            #"{"bundle":1,"statements":[""],"evidence":[],"keys":"# + String(repeating: "{\"a\":", count: depth / 3),
            #"{"bundle":1,"statements":[""],"evidence":[],"keys":{"keys":["# + String(repeating: "0,", count: depth),
            #"{"bundle":"# + String(repeating: "9", count: depth) + "}", String(repeating: "{", count: depth),
            #"{"bundle":1,"# + String(repeating: " ", count: 10 * depth),
        ]
        for bomb in bombs {
            let codes = ["bundle", "bundle-statements", "bundle-evidence", "bundle-keys", "bundle-version", "too-long"]
            #expect(codes.contains(Crowd.code(Array(bomb.utf8))))
        }
    }

    @Test("The limits are exact: 245,760 bytes, 64 statements, 64 keys")
    func limits() throws {
        let frame = Crowd.text([""]).count
        let longest = Crowd.text([String(repeating: "A", count: UnverifiedBundle.maxBytes - frame)])
        #expect(longest.count == UnverifiedBundle.maxBytes)
        #expect(Crowd.code(longest) == "too-long")
        #expect(try Crowd.bundle(longest + Array("\n".utf8)).statements.count == 1)
        #expect(throws: BundleFault.self) { try Crowd.bundle(longest + Array(" ".utf8)) }
        let statements = try (10..<75).map { try Crowd.statement("user-\($0)", quorum: "16/9999") }
        #expect(Crowd.code(Crowd.text(Array(statements.prefix(64)))) == "valid")
        #expect(Crowd.code(Crowd.text(statements)) == "bundle-statements")
        let keys = try (0..<65).map { _ in try PrivateKey(generating: .edDSA).publicKey }
        for (count, code) in [(64, "valid"), (65, "bundle-keys")] {
            let jwks = String(decoding: TrustFiles.jwks(Array(keys.prefix(count))), as: UTF8.self)
            #expect(Crowd.code(Crowd.text(Array(statements.prefix(16)), keys: jwks)) == code)
        }
    }

    @Test("A session says of a bundle what a fresh verifier says, whatever it read before")
    func session() throws {
        let alice = try Crowd.statement("alice")
        let bob = try Crowd.statement("bob")
        let stranger = try Crowd.statement("bob", key: Keys.stranger(.es256))
        let forged = String(bob.dropLast(8)) + "AAAAAAAA"
        let texts = [[alice, bob], [alice, stranger], [alice, forged], [bob, alice], [alice], ["", ""]].map {
            Crowd.text($0)
        }
        let verifier = StatementVerifier(trust: Keys.trust)
        let session = verifier.makeSession()
        let fresh = texts.map { verifier.verifyBundle($0, at: Judge.now).code }
        #expect(fresh == ["valid", "unknown-key", "signature", "order", "quorum-not-met", "empty"])
        for _ in 0..<3 {
            for (text, code) in zip(texts, fresh) {
                #expect(session.bundleCode(text) == code)
                #expect(session.code(Array(alice.utf8)) == "quorum-not-met")
            }
        }
    }
}
