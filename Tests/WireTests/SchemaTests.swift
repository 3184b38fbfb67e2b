import CountersignJOSE
import CountersignVerifier
import TestVectors
import Testing
import Wire

@Suite("Schemas say what readers insist on")
struct SchemaTests {
    private static func schemas() throws -> [String: JSONObject] {
        var schemas: [String: JSONObject] = [:]
        for message in try Samples.all.get() {
            for shape in type(of: message).shape.all { schemas[shape.name] = shape.schema.object }
        }
        return schemas
    }

    @Test("Every message that is written is valid by its own schema")
    func written() throws {
        let schemas = try Self.schemas()
        for message in try Samples.all.get() {
            let json = message.json
            let name = type(of: message).shape.name
            let schema = try #require(schemas[name])
            let objection = Self.objection(try JSON(parsing: json, maxBytes: json.count), schema, schemas)
            #expect(objection == nil, "\(name): \(objection ?? "")")
        }
    }

    @Test("What the reader refuses for its members, the schema refuses too, and the other way round", arguments: 0..<10)
    func agreement(seed: Int) throws {
        let schemas = try Self.schemas()
        var random = SeededGenerator(seed: UInt64(seed))
        for message in try Samples.all.get()
        where !["Signing", "AddClient", "Policy", "VerifyStatements"].contains(type(of: message).shape.name) {
            let json = message.json
            var object = try #require(try JSON(parsing: json, maxBytes: json.count).object)
            guard !type(of: message).shape.isOpen, let member = object.members.randomElement(using: &random) else {
                continue
            }
            let values: [JSON] = [
                .null, .bool(false), .number(JSONNumber(-1)), .number(JSONNumber(12)), .string(""), .array([]),
                .string("active"),
            ]
            object[member.name] = values.randomElement(using: &random)
            let schema = try #require(schemas[type(of: message).shape.name])
            let isValid = Self.objection(.object(object), schema, schemas) == nil
            #expect(isValid == Self.isRead(message, JSON.object(object).canonical()), "\(object)")
        }
    }

    private static func isRead<Message: WireMessage>(_ example: Message, _ body: [UInt8]) -> Bool {
        (try? Message.parse(body)) != nil
    }

    @Test("Schemas of one name are one, and every reference has its schema")
    func references() throws {
        let schemas = try Self.schemas()
        for message in try Samples.all.get() {
            for shape in type(of: message).shape.all {
                #expect(schemas[shape.name].map { JSON.object($0).canonical() } == shape.schema.canonical())
            }
        }
        for schema in schemas.values {
            for reference in Self.references(.object(schema)) {
                let name = try #require(reference.split(separator: "/").last)
                #expect(schemas[String(name)] != nil, "\(reference)")
            }
        }
    }

    private static func references(_ json: JSON) -> [String] {
        switch json {
        case .object(let object):
            object.members.flatMap { member in
                member.name == "$ref" ? [member.value.string ?? ""] : references(member.value)
            }
        case .array(let elements): elements.flatMap(references)
        default: []
        }
    }

    /// JSON Schema 2020-12, as much of it as our schemas use; another word is an objection, so that none goes unchecked.
    private static func objection(_ value: JSON, _ schema: JSONObject, _ all: [String: JSONObject]) -> String? {
        for (word, rule) in schema.members {
            switch word {
            case "description", "format", "writeOnly": continue
            case "$ref":
                guard let name = rule.string?.split(separator: "/").last, let other = all[String(name)] else {
                    return word
                }
                if let inner = objection(value, other, all) { return inner }
            case "type":
                let isRight =
                    switch rule.string {
                    case "object": value.object != nil
                    case "array": value.array != nil
                    case "string": value.string != nil
                    case "integer": value.integer != nil
                    case "boolean": if case .bool = value { true } else { false }
                    default: false
                    }
                if !isRight { return "type" }
            case "enum":
                let values = rule.array ?? []
                if !values.contains(where: { $0.canonical() == value.canonical() }) { return "enum" }
            case "minimum": if let number = value.integer, let least = rule.integer, number < least { return word }
            case "maximum": if let number = value.integer, let most = rule.integer, number > most { return word }
            case "maxLength":
                if let text = value.string, let most = rule.integer, text.unicodeScalars.count > most { return word }
            case "maxItems": if let list = value.array, let most = rule.integer, list.count > most { return word }
            // The one pattern is that of identifiers.
            case "pattern": if let text = value.string, UUIDText(text) == nil { return word }
            case "items":
                guard let inner = rule.object else { return word }
                for element in value.array ?? [] {
                    if let found = objection(element, inner, all) { return "items: " + found }
                }
            case "required":
                for name in rule.array ?? [] where value.object?[name.string ?? ""] == nil { return "required \(name)" }
            case "properties":
                for member in value.object?.members ?? [] {
                    guard let inner = rule.object?[member.name]?.object else { continue }
                    if let found = objection(member.value, inner, all) { return "\(member.name): \(found)" }
                }
            case "additionalProperties":
                guard case .bool(false) = rule else { continue }
                let known = schema["properties"]?.object
                for member in value.object?.members ?? [] where known?[member.name] == nil { return member.name }
            case "oneOf":
                let fits = (rule.array ?? []).compactMap(\.object).count { objection(value, $0, all) == nil }
                if fits != 1 { return word }
            default: return "unknown word \(word)"
            }
        }
        return nil
    }
}
