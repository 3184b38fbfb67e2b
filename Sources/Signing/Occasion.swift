package import CountersignVerifier

/// What a signing belongs to beyond itself. It is part of the request from the start, so the statement says it too.
package enum Occasion: Sendable, Hashable {
    /// It is the answer to the notification with this id: the action that was chosen.
    case notification(UUIDText, action: String)
    /// It accepts the signing request with this id, of whose persons so many must sign, and answers the notification that asked.
    case request(UUIDText, Quorum?, notification: UUIDText, action: String)

    /// The notification that it answers, and the action that was chosen.
    package var answered: (notification: UUIDText, action: String) {
        switch self {
        case .notification(let id, let action), .request(_, _, let id, let action): (id, action)
        }
    }

    /// The reserved claims that say so.
    var claims: ReservedClaims {
        get throws(InvalidReason) {
            var claims = ReservedClaims()
            switch self {
            case .notification(let id, _): try claims.set(.notification, to: id.text)
            case .request(let id, let quorum, _, _):
                try claims.set(.request, to: id.text)
                if let quorum { try claims.set(.quorum, to: quorum.description) }
            }
            return claims
        }
    }
}
