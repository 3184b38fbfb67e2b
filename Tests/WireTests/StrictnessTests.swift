import CountersignJOSE
import CountersignKeys
import Signing
import TestVectors
import Testing
import Wire

@Suite("Members that nobody asked for, missing, twice, or of another type (attack A2)")
struct StrictnessTests {
    /// Those of our own; the problem and the metadata are read as their RFCs say.
    private static func closed() throws -> [any WireMessage] {
        try Samples.all.get().filter { !type(of: $0).shape.isOpen }
    }

    private static func code<Message: WireMessage>(_ type: Message.Type, _ body: [UInt8]) -> Refusal? {
        do throws(Refusal) { _ = try Message.parse(body) } catch { return error }
        return nil
    }

    /// The same for the type of a message.
    private static func code<Message: WireMessage>(_ example: Message, _ body: [UInt8]) -> Refusal? {
        code(Message.self, body)
    }

    private static func object(_ message: some WireMessage) throws -> JSONObject {
        let json = message.json
        return try #require(try JSON(parsing: json, maxBytes: json.count).object)
    }

    @Test("An unknown member is refused with 1801 and named; a problem's is ignored (RFC 9457 section 3.2)")
    func unknown() throws {
        for message in try Self.closed() {
            var object = try Self.object(message)
            object["isAdmin"] = .bool(true)
            let found = Self.code(message, JSON.object(object).canonical())
            #expect(found == Refusal(.memberUnknown, .member("isAdmin")), "\(type(of: message).shape.name)")
        }
        var problem = try Self.object(Problem(Refusal(.storeFull)))
        problem["trace"] = .array([.null])
        #expect(try Problem.parse(JSON.object(problem).canonical()).code == 1502)
    }

    @Test("Very many members are refused before they are compared with each other (attack A3)")
    func many() {
        func body(_ count: Int) -> [UInt8] {
            Array("{\((0..<count).map { "\"m\($0)\":1" }.joined(separator: ","))}".utf8)
        }
        #expect(Self.code(LogIn.self, body(LogIn.maxValues)) == Refusal(.memberUnknown, .member("m0")))
        #expect(Self.code(LogIn.self, body(LogIn.maxValues + 1)) == Refusal(.requestMalformed))
        #expect(Self.code(VerifyStatements.self, body(100_000)) == Refusal(.requestMalformed))
    }

    @Test("A member twice is refused with 1800, secrets and escaped spellings of names included")
    func duplicate() throws {
        for message in try Self.closed() {
            let json = message.json
            for member in try Self.object(message).members {
                let twice =
                    json.dropLast() + [UInt8(ascii: ",")] + JSON.string(member.name).canonical() + [UInt8(ascii: ":")]
                    + member.value.canonical() + [UInt8(ascii: "}")]
                let found = Self.code(message, Array(twice))
                #expect(found == Refusal(.requestMalformed), "\(type(of: message).shape.name).\(member.name)")
            }
        }
        let spelt = Array(#"{"user":"a","us\u0065r":"b","password":"p"}"#.utf8)
        #expect(Self.code(LogIn.self, spelt)?.code == .memberUnknown)
    }

    @Test("A missing member is refused with 1802 and named, unless it is optional")
    func missing() throws {
        for message in try Self.closed() {
            let whole = try Self.object(message)
            let required = try Self.required(type(of: message))
            for member in whole.members {
                var object = whole
                object[member.name] = nil
                let found = Self.code(message, JSON.object(object).canonical())
                let label = "\(type(of: message).shape.name).\(member.name)"
                if required.contains(member.name)
                    || type(of: message).shape.name == "VerifyStatements" && object["statement"] == nil
                        && object["statements"] == nil
                    || type(of: message).shape.name == "BatchItem" && ["payload", "result"].contains(member.name)
                    || type(of: message).shape.name == "AskPersons"
                        && ["user", "users", "group"].contains(member.name)
                {
                    #expect(found?.code == .memberMissing, "\(label)")
                } else {
                    #expect(found == nil, "\(label)")
                }
            }
        }
    }

    private static func required(_ type: any WireMessage.Type) throws -> [String] {
        let schema = try #require(type.schema.object)
        return schema["required"]?.array?.compactMap(\.string) ?? []
    }

    @Test("A member of another type is refused with 1803 and named; null is another type")
    func wrongType() throws {
        let others: [JSON] = [
            .null, .bool(true), .number(JSONNumber(1)), .string("x\u{7}"), .array([]), .object(JSONObject()),
            .number(try #require(JSONNumber(1.5))),
        ]
        for message in try Self.closed() {
            let whole = try Self.object(message)
            for member in whole.members {
                var accepted = 0
                for other in others {
                    var object = whole
                    object[member.name] = other
                    guard let found = Self.code(message, JSON.object(object).canonical()) else {
                        accepted += 1
                        continue
                    }
                    let label = "\(type(of: message).shape.name).\(member.name)"
                    let isRight = [Refusal.Code.memberValue, .memberMissing, .deviceKeyRefused].contains(found.code)
                    #expect(isRight, "\(label): \(found)")
                }
                // A string takes one of them, and so does a number, a flag, ...
                #expect(accepted <= 1, "\(type(of: message).shape.name).\(member.name)")
            }
        }
    }

    @Test("What is no JSON object is refused with 1800: empty, cut, trailed, deep, of another type, not UTF-8")
    func malformed() throws {
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        let texts = [
            "", " ", "null", "[]", "\"x\"", "1", "{", "{}{}", "{} x", "\u{FEFF}{}", "{'user':1}", #"{"user":"a",}"#,
            #"{"user":"a" "password":"p"}"#, #"{"user":\#(deep),"password":"p"}"#, "{\"user\":\"\u{1}\"}",
        ]
        for text in texts {
            #expect(Self.code(LogIn.self, Array(text.utf8)) == Refusal(.requestMalformed), "\(text)")
        }
        for message in try Self.closed() {
            let json = message.json
            for count in stride(from: 0, to: json.count, by: max(1, json.count / 50)) {
                let found = Self.code(message, Array(json[..<count]))
                #expect(found == Refusal(.requestMalformed), "\(type(of: message).shape.name) \(count)")
            }
        }
    }

    @Test(
        "Random trees are read or refused with one of the four codes, and what is read is written the same",
        arguments: 0..<8)
    func random(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for message in try Self.closed() {
            for _ in 0..<20 {
                var object = try Self.object(message)
                Self.mutate(&object, using: &random)
                try Self.check(message, JSON.object(object).canonical())
            }
        }
    }

    private static func check<Message: WireMessage>(_ example: Message, _ body: [UInt8]) throws {
        do throws(Refusal) {
            let message = try Message.parse(body)
            let again = try Message.parse(message.json)
            #expect(again.json == message.json)
        } catch {
            let refusal = error
            let known: [Refusal.Code] = [
                .requestMalformed, .memberUnknown, .memberMissing, .memberValue, .tooManyStatements, .deviceKeyRefused,
            ]
            #expect(known.contains(refusal.code), "\(Message.shape.name): \(refusal)")
        }
    }

    private static func mutate(_ object: inout JSONObject, using random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard let member = object.members.randomElement(using: &random) else { break }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: object[member.name] = nil
            case 1: object[member.name + "x"] = tree(3, using: &random)
            case 2: object[member.name] = tree(4, using: &random)
            default:
                if case .object(var inner) = member.value {
                    mutate(&inner, using: &random)
                    object[member.name] = .object(inner)
                } else {
                    object[member.name] = tree(2, using: &random)
                }
            }
        }
    }

    private static func tree(_ depth: Int, using random: inout SeededGenerator) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .number(JSONNumber(Int64.random(in: -10...200, using: &random)))
        case 3: return .number(JSONNumber(Int64.random(in: .min ... .max, using: &random)))
        case 4: return .string(String(repeating: "a\u{301}\u{0}", count: Int.random(in: 0...400, using: &random)))
        case 5: return .string(Samples.uuid)
        case 6:
            var elements: [JSON] = []
            for _ in 0..<Int.random(in: 0...3, using: &random) { elements.append(tree(depth - 1, using: &random)) }
            return .array(elements)
        default:
            var object = JSONObject()
            for index in 0..<Int.random(in: 0...3, using: &random) {
                object["m\(index)"] = tree(depth - 1, using: &random)
            }
            return .object(object)
        }
    }

    @Test("Statement and statements exclude each other; more than 1,000 are refused with 1818")
    func verifications() throws {
        #expect(Self.code(VerifyStatements.self, Array("{}".utf8))?.code == .memberMissing)
        let both = Array(#"{"statement":"a","statements":["b"]}"#.utf8)
        #expect(Self.code(VerifyStatements.self, both)?.code == .memberUnknown)
        let many = VerifyStatements(Array(repeating: "x", count: 1001)).json
        #expect(Self.code(VerifyStatements.self, many)?.code == .tooManyStatements)
        let most = VerifyStatements(Array(repeating: "x", count: 1000)).json
        #expect(try VerifyStatements.parse(most).statements.count == 1000)
        let policies = [
            #"{"minLevel":2}"#, #"{"requireAmr":["nose"]}"#, #"{"audience":"a","anyAudience":true}"#, #"{"maxAge":-1}"#,
            "{\"x\":1}",
        ]
        for policy in policies {
            let body = Array(#"{"statement":"a","policy":\#(policy)}"#.utf8)
            let code = Self.code(VerifyStatements.self, body)?.code
            #expect(code == .memberValue || code == .memberUnknown, "\(policy)")
        }
    }
}
