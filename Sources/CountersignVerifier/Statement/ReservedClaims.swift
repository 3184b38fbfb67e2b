/// The claims that are reserved for later versions of the service: strings of 1 to 255 bytes that verifiers accept
/// from the start.
public struct ReservedClaims: Sendable {
    /// The values in the order of the claims `request`, `notification`, `template`, `batch`, `evidence`, `quorum`.
    private var values: [String?] = []

    /// None of them.
    public init() {}

    /// The names, in their order.
    static let names: [ClaimName] = [.request, .notification, .template, .batch, .evidence, .quorum]

    /// The value of a reserved claim; nil where it is absent, and for a claim that is not reserved.
    public subscript(name: ClaimName) -> String? {
        guard let place = Self.names.firstIndex(of: name), values.indices.contains(place) else { return nil }
        return values[place]
    }

    /// Whether there is none.
    var isEmpty: Bool { values.isEmpty }

    /// Sets a reserved claim.
    ///
    /// - Throws: `claim(name)` if the value is empty, too long or has refused characters, or if the claim is not
    ///   reserved.
    package mutating func set(_ name: ClaimName, to value: String) throws(InvalidReason) {
        guard let place = Self.names.firstIndex(of: name), (1...255).contains(value.utf8.count),
            TextRules.firstRefused(in: value, newlineAndTabAllowed: false) == nil
        else { throw .claim(name) }
        if values.isEmpty { values = Array(repeating: nil, count: Self.names.count) }
        values[place] = value
    }
}
