package import CountersignVerifier

/// What a signing belongs to beyond itself. It is part of the request from the start, so the statement says it too.
package enum Occasion: Sendable, Hashable {
    /// It is the answer to the notification with this id: the action that was chosen.
    case notification(UUIDText, action: String)

    /// The reserved claims that say so.
    var claims: ReservedClaims {
        get throws(InvalidReason) {
            var claims = ReservedClaims()
            switch self {
            case .notification(let id, _): try claims.set(.notification, to: id.text)
            }
            return claims
        }
    }
}
