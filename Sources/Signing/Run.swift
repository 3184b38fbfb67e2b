package import CountersignVerifier

/// One run of a ceremony, from the request to a statement or its end. It holds what will be signed; nothing that comes later
/// can change it (attack S7).
package struct Run: Sendable, Hashable {
    /// The ceremony's id, the claim `ceremony`.
    package let id: UUIDText
    /// The generation that it belongs to; an answer names it.
    package let generation: Int
    /// What was asked.
    package let request: SigningRequest
    /// Who asked.
    package let asker: Asker
    /// When it started, in milliseconds since 1970.
    package let issuedAt: Int64
    /// When it ends, in milliseconds since 1970; at exactly this time it is over.
    package let expiresAt: Int64

    /// A run as a store kept it.
    package init(
        id: UUIDText, generation: Int, request: SigningRequest, asker: Asker, issuedAt: Int64, expiresAt: Int64
    ) {
        self.id = id
        self.generation = generation
        self.request = request
        self.asker = asker
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}
