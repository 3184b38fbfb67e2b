/// The members of a JSON object, in order; no name is there twice. Names are compared by their UTF-8 bytes: Swift's `==`
/// would take "é" in its two spellings for one name.
public struct JSONObject: Sendable {
    /// The members in the order of the text.
    public private(set) var members: [(name: String, value: JSON)] = []

    /// The names in a form that can be looked up quickly, where there are many.
    private var names: Set<ExactText> = []

    /// An object without members.
    public init() {}

    /// The value of a member, nil where there is none. Setting nil removes it; setting a new one appends it.
    public subscript(name: String) -> JSON? {
        get { index(of: name).map { members[$0].value } }
        set {
            guard let newValue else {
                members.removeAll { $0.name.hasSameUTF8(as: name) }
                names.remove(ExactText(name))
                return
            }
            if let index = index(of: name) { members[index].value = newValue } else { append(name, newValue) }
        }
    }

    /// Whether there is a member of this name. Constant time where there are many.
    func contains(_ name: String) -> Bool {
        names.isEmpty ? index(of: name) != nil : names.contains(ExactText(name))
    }

    /// Appends a member whose name is not yet there.
    mutating func append(_ name: String, _ value: JSON) {
        members.append((name, value))
        if !names.isEmpty {
            names.insert(ExactText(name))
        } else if members.count > 16 {
            names = Set(members.map { ExactText($0.name) })
        }
    }

    private func index(of name: String) -> Int? {
        // Where there are many, most that are asked for are not there: each member of a text is asked for once.
        guard names.isEmpty || names.contains(ExactText(name)) else { return nil }
        return members.firstIndex { $0.name.hasSameUTF8(as: name) }
    }
}

/// A text that equals another only if they have the same UTF-8.
struct ExactText: Hashable, Sendable {
    private let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameUTF8(as: right.text) }

    func hash(into hasher: inout Hasher) { ByteScan.hash(text.utf8.span, into: &hasher) }
}

extension String {
    /// Whether both are the same text, byte for byte in UTF-8. (`==` is canonical equivalence.)
    package func hasSameUTF8(as other: String) -> Bool {
        utf8.count == other.utf8.count && ByteScan.has(utf8.span, in: other.utf8.span, at: 0)
    }
}
