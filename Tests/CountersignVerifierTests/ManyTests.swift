import CountersignKeys
import CountersignVerifier
import Testing

@Suite("Many statements at once")
struct ManyTests {
    /// Texts in one buffer, with their newlines.
    private struct Lines {
        var bytes: [UInt8] = []
        var places: [Range<Int>] = []

        init(_ texts: [[UInt8]]) {
            for text in texts {
                let start = bytes.count
                bytes += text
                if text.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
                places.append(start..<bytes.count)
            }
        }

        func codes(_ session: VerificationSession, at time: Int64 = Judge.now) -> [String] {
            session.verify(places, of: bytes.span, at: time).map(\.code)
        }
    }

    /// Statements of one algorithm, good and bad ones in turn.
    private static func texts(_ algorithm: KeyAlgorithm, _ count: Int) throws -> [[UInt8]] {
        let key = try Keys.trusted(algorithm)
        return try (0..<count).map { index in
            let draft = Draft.example.with("payload", "\"payload \(index)\"")
            var text = try draft.text(index % 11 == 5 ? Keys.stranger(algorithm) : key)
            switch index % 7 {
            case 1:
                // Another character in the middle of the signature.
                text[text.count - 20] =
                    text[text.count - 20] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            case 2: text[text.count - 100] ^= 1
            case 3: text += Array("=".utf8)
            case 4: text = try draft.with("sub", "\"A\"").text(key)
            default: break
            }
            return text
        }
    }

    /// Tables from the first signature on, and as in real life.
    private static let tables = [KeyTables(worth: 0), KeyTables(worth: 20), KeyTables()]

    @Test("Their verdicts are those that each gets alone, with tables and without", arguments: 0..<3)
    func property(which: Int) throws {
        let alone = StatementVerifier(trust: Keys.trust, policy: which == 1 ? Policy() : Judge.lenient)
        let verifier = StatementVerifier(trust: Keys.trust, policy: alone.policy, tables: Self.tables[which])
        let session = verifier.makeSession()
        var numbers = SeededNumbers(seed: UInt64(which))
        for round in 0..<6 {
            var texts = try KeyAlgorithm.allCases.flatMap { try Self.texts($0, [.es256: 300, .edDSA: 60][$0] ?? 12) }
            texts += [[], Array("{}".utf8), Array("a.b.c".utf8)]
            let claims = try Judge.claims(Draft.example.text())
            texts.append(SignedResult(claims: claims, statement: try Draft.example.text()).json)
            texts.shuffle(using: &numbers)
            let expected = texts.map { alone.verify($0, at: Judge.now).code }
            #expect(Set(expected).count > 4)
            #expect(Lines(texts).codes(session) == expected, "round \(round)")
        }
    }

    @Test("The claims that come out are those of the text at the same place")
    func order() throws {
        let verifier = StatementVerifier(trust: Keys.trust, policy: Judge.lenient, tables: KeyTables(worth: 0))
        let texts = try (0..<600).map { index in
            try Draft.example.with("payload", "\"payload \(index)\"").text(
                Keys.trusted(index % 5 == 0 ? .edDSA : .es256))
        }
        let lines = Lines(texts)
        let verdicts = verifier.makeSession().verify(lines.places, of: lines.bytes.span, at: Judge.now)
        #expect(verdicts.count == 600)
        for (index, verdict) in verdicts.enumerated() {
            guard case .valid(let statement) = verdict else {
                Issue.record("\(index): \(verdict.code)")
                continue
            }
            #expect(statement.claims.payload == "payload \(index)")
        }
    }

    @Test("State of the key and policy are asked of a statement in a batch too, at the time of the call")
    func policy() throws {
        let key = try Keys.trusted(.es256)
        let retired = TrustedKey(key: key.publicKey, notBefore: Judge.now - 10, notAfter: Judge.now + 10)
        var policy = Judge.lenient
        policy.rules = [MaximumAge(seconds: 60)]
        let tables = KeyTables(worth: 0)
        let verifier = StatementVerifier(trust: TrustStore(keys: [retired]), policy: policy, tables: tables)
        let texts = try [Int64(-11), -10, 0, 10, 11].map { offset in
            try Draft.example.with("iat", "\(Judge.now + offset)").text(key)
        }
        let session = verifier.makeSession()
        for time in [Judge.now, Judge.now + 55, Judge.now + 100] {
            let expected = texts.map { verifier.verify($0, at: time).code }
            #expect(Lines(texts).codes(session, at: time) == expected)
        }
    }

    @Test("Threads that share a verifier agree, while tables are made under their hands")
    func threads() async throws {
        let verifier = StatementVerifier(trust: Keys.trust, policy: Judge.lenient, tables: KeyTables(worth: 100))
        let texts = try Self.texts(.es256, 250)
        let expected = texts.map { verifier.verify($0, at: Judge.now).code }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let session = verifier.makeSession()
                    return (0..<3).allSatisfy { _ in Lines(texts).codes(session) == expected }
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}

@Suite("The tables of keys")
struct KeyTablesTests {
    private static func keys(_ count: Int) throws -> [PublicKey] {
        try (0..<count).map { _ in try PrivateKey(generating: .es256).publicKey }
    }

    @Test("A key has its table when its signatures would pay for it, whoever asks for them")
    func worth() throws {
        let key = try Self.keys(1)[0]
        let tables = KeyTables(worth: 100)
        #expect(tables.table(of: key, id: "a", for: 0) == nil)
        #expect(tables.table(of: key, id: "a", for: 99) == nil)
        #expect(tables.table(of: key, id: "b", for: 99) == nil)
        let table = try #require(tables.table(of: key, id: "a", for: 1))
        #expect(tables.table(of: key, id: "a", for: 0) === table, "it is made once")
    }

    @Test("There are never more than fit; one that nobody asks for makes room, one in use stays")
    func room() throws {
        let keys = try Self.keys(3)
        let tables = KeyTables(worth: 1, capacity: 2, patience: 5)
        func ask(_ index: Int) -> Bool { tables.table(of: keys[index], id: "\(index)", for: 1) != nil }
        #expect(ask(0))
        #expect(ask(1))
        for _ in 0..<20 {
            #expect(!ask(2), "both others are in use")
            #expect(ask(0))
            #expect(ask(1))
        }
        // Nobody asks for 1 any more.
        for _ in 0..<4 { #expect(ask(0)) }
        #expect(!ask(2))
        #expect(ask(2))
        #expect(!ask(1), "it made room")
        #expect(ask(0))
        #expect(ask(2))
    }

    @Test("A key that can have none is not asked for again, and takes no room")
    func impossible() throws {
        let other = try PrivateKey(generating: .es384).publicKey
        let key = try Self.keys(1)[0]
        let tables = KeyTables(worth: 1, capacity: 1, patience: 5)
        for _ in 0..<3 { #expect(tables.table(of: other, id: "a", for: 10) == nil) }
        #expect(tables.table(of: key, id: "b", for: 1) != nil)
    }
}
