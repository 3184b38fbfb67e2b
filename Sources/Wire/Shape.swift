package import CountersignJOSE

/// The members of a message: what its reader insists on and its schema says.
package struct Shape: Sendable {
    /// One member. An object, since each body that is read looks at all of them, and must not copy them for it.
    package final class Member: Sendable {
        let name: StaticString
        /// The name once more, so that no reader has to make it.
        let text: String
        let kind: Kind
        let isRequired: Bool
        let note: String

        private init(_ name: StaticString, _ kind: Kind, isRequired: Bool, _ note: String) {
            self.name = name
            text = name.description
            self.kind = kind
            self.isRequired = isRequired
            self.note = note
        }

        /// A member that must be there.
        package static func required(_ name: StaticString, _ kind: Kind, _ note: String = "") -> Member {
            Member(name, kind, isRequired: true, note)
        }

        /// A member that may be absent. It is never `null`.
        package static func optional(_ name: StaticString, _ kind: Kind, _ note: String = "") -> Member {
            Member(name, kind, isRequired: false, note)
        }
    }

    /// The name of the schema.
    package let name: String
    /// The members, in the order in which they are written.
    package let members: [Member]
    /// Of these, exactly one must be there; empty: no such rule.
    package let alternatives: [StaticString]
    /// Whether a reader ignores members that it does not know (RFC 9457 section 3.2, RFC 8414 section 3.2).
    package let isOpen: Bool

    /// A shape.
    package init(
        _ name: String, _ members: [Member], alternatives: [StaticString] = [], isOpen: Bool = false
    ) {
        self.name = name
        self.members = members
        self.alternatives = alternatives
        self.isOpen = isOpen
    }

    /// Where other schemas find this one.
    package var reference: String { "#/components/schemas/\(name)" }

    /// The shapes that the members name, this one included, each once.
    package var all: [Shape] {
        var found = [self]
        for member in members {
            var kind = member.kind
            while case .list(let element, _, _) = kind { kind = element }
            guard case .message(let shape) = kind else { continue }
            for shape in shape.all where !found.contains(where: { $0.name == shape.name }) { found.append(shape) }
        }
        return found
    }

    /// The JSON Schema (2020-12, as OpenAPI 3.1 has it).
    package var schema: JSON {
        var properties = JSONObject()
        for member in members {
            var schema = member.kind.schema
            if !member.note.isEmpty { schema["description"] = .string(member.note) }
            properties[member.text] = .object(schema)
        }
        var schema = JSONObject()
        schema["type"] = .string("object")
        schema["properties"] = .object(properties)
        let required = members.filter(\.isRequired).map { JSON.string($0.text) }
        if !required.isEmpty { schema["required"] = .array(required) }
        if !alternatives.isEmpty {
            schema["oneOf"] = .array(
                alternatives.map { name in
                    var alternative = JSONObject()
                    alternative["required"] = .array([.string(name.description)])
                    return .object(alternative)
                })
        }
        schema["additionalProperties"] = .bool(isOpen)
        return .object(schema)
    }
}
