import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Signing
import Testing
import Wire

@Suite("Messages, both ways")
struct RoundTripTests {
    @Test("Every message is read as it was written, byte for byte")
    func roundTrip() throws {
        for message in try Samples.all.get() { try check(message) }
    }

    private func check<Message: WireMessage>(_ message: Message) throws {
        let json = message.json
        let again = try Message.parse(json).json
        #expect(again == json, "\(Message.shape.name)")
        // White space and another order of members mean the same.
        let tree = try #require(try JSON(parsing: json, maxBytes: json.count).object)
        var text = Array("\n{ ".utf8)
        for (index, member) in tree.members.reversed().enumerated() {
            if index > 0 { text += Array(" ,\t".utf8) }
            text += JSON.string(member.name).canonical() + Array(" : ".utf8) + member.value.canonical()
        }
        text += Array(" } ".utf8)
        #expect(try Message.parse(text).json == json, "\(Message.shape.name)")
    }

    @Test("K5: a password is read into wiped memory, whatever its spelling, and shows nowhere")
    func secrets() throws {
        let body = #"{"user":"alice","password":"a\u00e9\ud83d\udd11\n\"\\é/\/"}"#
        let logIn = try LogIn.parse(Array(body.utf8))
        let bytes = logIn.password.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        #expect(bytes == Array("aé🔑\n\"\\é//".utf8))
        var shown = ""
        dump(logIn, to: &shown)
        #expect(!shown.contains("🔑"))
        for wrong in [#""\ud83d""#, #""\x""#, "\"\u{1}\"", #""a"#] {
            #expect(throws: Refusal(.requestMalformed)) {
                try LogIn.parse(Array(#"{"user":"alice","password":\#(wrong)}"#.utf8))
            }
        }
        #expect(throws: Refusal(.requestMalformed)) {
            try LogIn.parse(Array(#"{"user":"alice","password":""#.utf8) + [0xFF] + Array(#""}"#.utf8))
        }
    }

    @Test("S30: the first challenge of a signing has status 100 and mode 12, and names its generation")
    func challenge() throws {
        let request = try SigningRequest(
            user: #require(UserName("alice")), payload: "p", reason: "r", level: 1, type: 0, isLevelZeroAllowed: false)
        let id = try #require(UUIDText(Samples.uuid))
        let run = Run(
            id: id, generation: 4, request: request, asker: Asker(session: id), issuedAt: 1000, expiresAt: 121_000)
        let message = SigningMessage(Challenge(run: run, method: .password, attemptsLeft: 3, status: .success))
        #expect(message.statusCode == 100 && message.challengeMode == 12 && message.generation == 4)
        #expect(message.attemptsLeft == 3 && message.method == "password" && message.expiresAt == 121_000)
    }

    @Test("A valid verdict carries the claims in the order of the statement")
    func verdict() throws {
        let key = try PrivateKey(generating: .es256)
        let id = try #require(UUIDText(Samples.uuid))
        let claims = try Claims(
            issuer: "urn:test", subject: #require(UserName("alice")), audience: nil, issuedAt: 1000, id: id,
            payload: "é p",
            reason: "r", level: .none, authenticatorType: .none, methods: [], authTime: nil, device: nil, ceremony: id)
        let text = try StatementText.sign(claims, with: StatementSigner(key))
        let trust = try TrustStore(Array(#"{"keys":["#.utf8) + JWK(key.publicKey).json + Array("]}".utf8))
        var policy = PolicyMessage()
        policy.minLevel = 0
        let verdict = StatementVerifier(trust: trust, policy: policy.policy).verify(text, at: 1000)
        let message = VerdictMessage(verdict)
        #expect(message.verdict == "valid" && message.algorithm == "ES256")
        #expect(try VerdictMessage.parse(message.json).json == message.json)
        var writer = JSONWriter()
        claims.write(to: &writer)
        let json = String(decoding: message.json, as: UTF8.self)
        #expect(json.hasSuffix(#""claims":"# + String(decoding: writer.bytes, as: UTF8.self) + "}"))
    }
}
