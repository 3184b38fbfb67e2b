/// The claims that say in what a statement belongs: strings of 1 to 255 bytes, each of them optional. Some are reserved
/// for later versions of the service; verifiers accept them from the start.
public struct ReservedClaims: Sendable, Hashable {
    /// The values in the order of `names`.
    private var values: [String?] = []

    /// None of them.
    public init() {}

    /// The names, in their order.
    static let names: [ClaimName] = [.request, .notification, .template, .batch, .evidence, .quorum]

    /// The value of one of these claims; nil where it is absent, and for any other claim.
    public subscript(name: ClaimName) -> String? {
        guard !isEmpty, let place = Self.names.firstIndex(of: name) else { return nil }
        return values[place]
    }

    /// The claim `quorum`, where there is one.
    public var quorum: Quorum? { self[.quorum].flatMap { Quorum($0) } }

    /// Whether there is none.
    var isEmpty: Bool { values.isEmpty }

    /// Sets one of these claims.
    ///
    /// - Throws: `claim(name)` if the value is empty, too long or has refused characters, if it is no quorum where it
    ///   must be one, or if the claim is none of these.
    package mutating func set(_ name: ClaimName, to value: String) throws(InvalidReason) {
        guard let place = Self.names.firstIndex(of: name), (1...255).contains(value.utf8.count),
            TextRules.firstRefused(in: value, newlineAndTabAllowed: false) == nil,
            name != .quorum || Quorum(value) != nil
        else { throw .claim(name) }
        if values.isEmpty { values = Array(repeating: nil, count: Self.names.count) }
        values[place] = value
    }
}
