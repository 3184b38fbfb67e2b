package import CountersignJOSE
internal import CountersignKeys
package import Signing

/// A message of API v1: a JSON object of a known shape, read strictly and written in one spelling.
package protocol WireMessage: Sendable {
    /// Its members.
    static var shape: Shape { get }
    /// How many values a body of it may have: bounds the memory of its tree.
    static var maxValues: Int { get }
    /// Takes what was read.
    init(_ members: Members) throws(Refusal)
    /// Writes it as one value.
    func write(to writer: inout JSONWriter)
}

extension WireMessage {
    /// That of ``JSON/maxValues``.
    package static var maxValues: Int { JSON.maxValues }

    /// Reads a whole body.
    ///
    /// - Throws: `requestMalformed` for what is no JSON object or has a member twice, `memberUnknown`, `memberMissing`,
    ///   `memberValue`; and what the message itself refuses.
    package static func parse(_ body: [UInt8]) throws(Refusal) -> Self {
        try Self(try Members(parsing: body, shape, maxValues: maxValues))
    }

    /// Takes an object that was read already; it has no secrets.
    package init(_ object: JSONObject) throws(Refusal) { try self.init(try Members(object, Self.shape)) }

    /// Its JSON. One that holds a secret is for the caller to wipe.
    package var json: [UInt8] {
        var writer = JSONWriter(capacity: 4096)
        write(to: &writer)
        return writer.bytes
    }

    /// Its JSON Schema, as OpenAPI 3.1 has it; references go to `#/components/schemas/`.
    package static var schema: JSON { shape.schema }
}

extension JSONWriter {
    /// A member that is there only if it has a value.
    mutating func member(name: StaticString, string: String?) {
        if let string { member(name: name, string: string) }
    }

    /// A member that is there only if it has a value.
    mutating func member(name: StaticString, integer: Int64?) {
        if let integer { member(name: name, integer: integer) }
    }

    /// A member that is there only if it has a value.
    mutating func member(name: StaticString, integer: Int?) {
        if let integer { member(name: name, integer: Int64(integer)) }
    }

    /// A member that is `true` or `false`, there only if it has a value.
    mutating func member(name: StaticString, flag: Bool?) {
        guard let flag else { return }
        self.name(name)
        bool(flag)
    }

    /// A member that is a secret. The writer's bytes are then for the caller to wipe.
    mutating func member(name: StaticString, secret: SecretBytes) {
        self.name(name)
        secret.withBytes { string(utf8: $0) }
    }
}
