internal import Sessions

/// Who asks.
enum Principal: Sendable {
    /// Nobody says who they are.
    case nobody
    /// Somebody who proved a key, and nothing else.
    case holder(DPoPProof)
    /// Whose session it is. The proof is there unless the token is a bearer token.
    case session(Session)

    /// The role of a session.
    var role: Access.Role? {
        guard case .session(let session) = self else { return nil }
        return session.role
    }
}

extension Session {
    /// Whose session it is, without the name.
    var role: Access.Role {
        switch owner {
        case .person: .person
        case .service: .service
        case .operator: .operator
        }
    }
}
