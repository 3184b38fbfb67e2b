package import CountersignJOSE
package import CountersignKeys
package import Signing

/// The members of a message that was read, checked against its shape: none unknown, none missing, none of another kind.
package struct Members: Sendable {
    private var object = JSONObject()
    private var secrets: [(name: StaticString, value: SecretBytes)] = []

    /// Reads a body. Secrets never become a `String`.
    ///
    /// - Throws: `requestMalformed` for what is no JSON object or has a member twice, `memberUnknown`, `memberMissing`,
    ///   `memberValue`.
    init(parsing body: [UInt8], _ shape: Shape, maxValues: Int) throws(Refusal) {
        var name: Range<Int>?
        do throws(JSONError) {
            var reader = JSONReader(body)
            try reader.beginObject()
            while true {
                name = try reader.nextName()
                guard let name else { break }
                try read(name, from: &reader, shape, maxValues: maxValues)
            }
            try reader.end()
        } catch {
            if error.code == .unknownName { throw Refusal(.memberUnknown) }
            // Only a secret is asked for by its type.
            guard error.code == .wrongType, let name else { throw Refusal(.requestMalformed) }
            throw Refusal(.memberValue, .member(String(decoding: body[name], as: UTF8.self)))
        }
        try check(shape)
    }

    /// Takes the object of an outer message.
    init(_ object: JSONObject, _ shape: Shape) throws(Refusal) {
        for member in object.members {
            guard shape.members.contains(where: { member.name.hasSameUTF8(as: $0.text) }) else {
                if shape.isOpen { continue }
                throw Refusal(.memberUnknown, .member(member.name))
            }
            self.object[member.name] = member.value
        }
        try check(shape)
    }

    // MARK: Values

    /// A string.
    package func string(_ name: StaticString) throws(Refusal) -> String { try value(name, optionalString(name)) }

    /// A string that may be absent.
    package func optionalString(_ name: StaticString) -> String? { self[name]?.string }

    /// An integer.
    package func integer(_ name: StaticString) throws(Refusal) -> Int64 { try value(name, optionalInteger(name)) }

    /// An integer that may be absent.
    package func optionalInteger(_ name: StaticString) -> Int64? { self[name]?.integer }

    /// An integer as the machine has it.
    package func int(_ name: StaticString) throws(Refusal) -> Int { Int(clamping: try integer(name)) }

    /// An integer as the machine has it, which may be absent.
    package func optionalInt(_ name: StaticString) -> Int? { optionalInteger(name).map { Int(clamping: $0) } }

    /// `true` or `false`.
    package func flag(_ name: StaticString) throws(Refusal) -> Bool { try value(name, optionalFlag(name)) }

    /// `true` or `false`, which may be absent.
    package func optionalFlag(_ name: StaticString) -> Bool? {
        if case .bool(let flag)? = self[name] { flag } else { nil }
    }

    /// An array of strings, which may be absent.
    package func optionalStrings(_ name: StaticString) -> [String]? { self[name]?.array?.compactMap(\.string) }

    /// An object, which may be absent.
    package func optionalObject(_ name: StaticString) -> JSONObject? { self[name]?.object }

    /// A secret.
    package func secret(_ name: StaticString) throws(Refusal) -> SecretBytes {
        try value(name, secrets.first { $0.name.isSame(as: name) }?.value)
    }

    /// An array of messages.
    package func messages<Message: WireMessage>(_ name: StaticString) throws(Refusal) -> [Message] {
        var messages: [Message] = []
        for value in try value(name, self[name]?.array) {
            guard let object = value.object else { throw Refusal(.memberValue, .member(name.description)) }
            messages.append(try Message(object))
        }
        return messages
    }

    /// An array of messages, empty where it is absent.
    package func optionalMessages<Message: WireMessage>(_ name: StaticString) throws(Refusal) -> [Message] {
        self[name] == nil ? [] : try messages(name)
    }

    /// A message, which may be absent.
    package func optionalMessage<Message: WireMessage>(_ name: StaticString) throws(Refusal) -> Message? {
        guard let object = optionalObject(name) else { return nil }
        return try Message(object)
    }

    // MARK: Inner parts

    private subscript(name: StaticString) -> JSON? { object[name.description] }

    private func value<Value>(_ name: StaticString, _ value: Value?) throws(Refusal) -> Value {
        guard let value else { throw Refusal(.memberMissing, .member(name.description)) }
        return value
    }

    private mutating func read(
        _ range: Range<Int>, from reader: inout JSONReader, _ shape: Shape, maxValues: Int
    ) throws(JSONError) {
        let member = shape.members.first { reader.text(range, is: $0.name) }
        if let member, case .secret = member.kind {
            guard !secrets.contains(where: { $0.name.isSame(as: member.name) }) else {
                throw JSONError(.duplicateName, at: range.lowerBound)
            }
            secrets.append((member.name, try reader.secret()))
            return
        }
        // Each member has its own count of values, so the members need one too.
        guard object.members.count < maxValues else { throw JSONError(.tooManyValues, at: range.lowerBound) }
        let name = String(decoding: reader.bytes[range], as: UTF8.self)
        guard object[name] == nil else { throw JSONError(.duplicateName, at: range.lowerBound) }
        object[name] = try reader.value(maxValues: maxValues)
    }

    private mutating func check(_ shape: Shape) throws(Refusal) {
        for member in object.members {
            let name = member.name
            guard let known = shape.members.first(where: { name.hasSameUTF8(as: $0.text) }) else {
                if shape.isOpen { continue }
                throw Refusal(.memberUnknown, .member(name))
            }
            if let code = known.kind.objection(to: member.value) { throw Refusal(code, .member(name)) }
        }
        for member in shape.members where member.isRequired {
            if object[member.text] == nil, !secrets.contains(where: { $0.name.isSame(as: member.name) }) {
                throw Refusal(.memberMissing, .member(member.text))
            }
        }
        guard !shape.alternatives.isEmpty else { return }
        let present = shape.alternatives.filter { self[$0] != nil }
        if let second = present.dropFirst().first { throw Refusal(.memberUnknown, .member(second.description)) }
        if present.isEmpty, let first = shape.alternatives.first {
            throw Refusal(.memberMissing, .member(first.description))
        }
    }
}

extension StaticString {
    /// Whether both are the same text.
    fileprivate func isSame(as other: StaticString) -> Bool { description.hasSameUTF8(as: other.description) }
}
