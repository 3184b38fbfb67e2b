import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Testing

@Suite("A session over many statements")
struct SessionTests {
    /// Good and bad texts of several keys.
    private static func texts() throws -> [[UInt8]] {
        var texts: [[UInt8]] = [[], [UInt8(ascii: "\n")], Array("a.b.c".utf8), Array("{}".utf8)]
        for algorithm in KeyAlgorithm.allCases {
            let key = try Keys.trusted(algorithm)
            for draft in [Draft.example, .full, .level(0), .level(4)] {
                let text = try draft.text(key)
                let claims = try Judge.claims(text)
                texts += [text, text + [UInt8(ascii: "\n")], SignedResult(claims: claims, statement: text).json]
                texts += [Array(text.dropLast()), Array(text.dropFirst()), text + Array("=".utf8)]
                texts.append(try draft.text(Keys.stranger(algorithm)))
                texts.append(try draft.with(header: #"{"alg":"ALG","kid":"KID","typ":"JWT"}"#).text(key))
                texts.append(try draft.with("sub", #""A""#).text(key))
                let other = Compact.parts(try draft.with("payload", #""x""#).text(key))
                let parts = Compact.parts(text)
                texts.append(Array("\(parts[0]).\(other[1]).\(parts[2])".utf8))
                texts.append(Array("\(parts[0]).\(parts[1]).\(other[2])".utf8))
            }
        }
        return texts
    }

    @Test("Its verdicts are those of fresh verifiers, in any order", arguments: 0..<4)
    func property(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let verifier = StatementVerifier(trust: Keys.trust, policy: seed % 2 == 0 ? Policy() : Judge.lenient)
        let session = verifier.makeSession()
        let texts = try Self.texts()
        let fresh = texts.map { verifier.verify($0, at: Judge.now).code }
        #expect(Set(fresh).count > 6)
        for _ in 0..<2 {
            for place in texts.indices.shuffled(using: &numbers) {
                #expect(session.code(texts[place]) == fresh[place])
                // What a session keeps of a statement must not show in the next one.
                if Bool.random(using: &numbers) { #expect(session.code(texts[place]) == fresh[place]) }
            }
        }
    }

    @Test("The payload that comes out is the one of the text that went in")
    func claims() throws {
        let session = StatementVerifier(trust: Keys.trust).makeSession()
        for index in 0..<50 {
            let key = try Keys.trusted(KeyAlgorithm.allCases[index % 5])
            let text = try Draft.example.with("payload", "\"payload \(index)\"").text(key)
            guard case .valid(let statement) = session.verify(text.span, at: Judge.now) else {
                Issue.record("not valid")
                continue
            }
            #expect(statement.claims.payload == "payload \(index)")
            #expect(statement.keyID == key.keyID && statement.algorithm == key.algorithm)
        }
    }

    @Test("More keys than a session keeps headers of, in turn and at random")
    func manyHeaders() throws {
        var numbers = SeededNumbers(seed: 5)
        let session = StatementVerifier(trust: Keys.trust).makeSession()
        let text = Compact.parts(try Draft.example.text(Keys.trusted(.es256)))
        let texts = (0..<40).map { index in
            let keyID = Base64URL.encode([UInt8](repeating: UInt8(index), count: 32).span)
            let header = Array(#"{"alg":"ES256","kid":"\#(keyID)","typ":"countersign+jwt"}"#.utf8)
            return (keyID, Array("\(Base64URL.encode(header.span)).\(text[1]).\(text[2])".utf8))
        }
        var form = StatementForm()
        for index in Array(0..<80) + (0..<400).map({ _ in Int.random(in: 0..<40, using: &numbers) }) {
            let (keyID, statement) = texts[index % 40]
            let read = try form.read(statement.span)
            #expect(read.keyID == keyID)
            #expect(session.code(statement) == "unknown-key")
        }
    }

    @Test("One verifier, several threads, each with its session")
    func threads() async throws {
        let verifier = StatementVerifier(trust: Keys.trust, policy: Judge.lenient)
        let texts = try Self.texts()
        let fresh = texts.map { verifier.verify($0, at: Judge.now).code }
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let session = verifier.makeSession()
                    return texts.map { session.code($0) } == fresh
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}
