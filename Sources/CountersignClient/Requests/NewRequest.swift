package import Wire

/// What one person or several are to be asked to sign.
///
/// ```swift
/// let asked = try await shop.ask(NewRequest(of: .person("alice"), payload: "Pay 5.00 EUR to Bob", reason: "Invoice 17"))
/// print("match code", asked.matchCode ?? "none")
/// let outcome = try await shop.outcome(of: asked.id)
/// ```
public struct NewRequest: Sendable {
    /// Whom it asks.
    public enum Persons: Sendable {
        /// One person; the result is a statement.
        case person(String)
        /// So many of these; nil: all. The result is a bundle.
        case several([String], required: Int? = nil)
        /// So many of a group that the operator made; nil: all. The result is a bundle.
        case group(String, required: Int? = nil)
    }

    /// What becomes of the match code.
    public enum MatchCode: String, Sendable, CaseIterable {
        /// Whoever approves must bring it.
        case required
        /// Whoever approves is shown it.
        case offered
        /// There is none.
        case without = "none"
    }

    /// Whom it asks.
    public var persons: Persons
    /// On whose behalf; that person is not asked.
    public var requester: String?
    /// What is to be signed: 1 to 500 characters.
    public var payload: String
    /// Why: 1 to 100 characters.
    public var reason: String
    /// 0, 1 or 4.
    public var level = 1
    /// 0; 1 with level 4.
    public var authenticatorType = 0
    /// How long it lives: 10 to 86,400 seconds; nil: 300.
    public var expiresIn: Int64?
    /// What becomes of the match code; nil: as the service is set.
    public var matchCode: MatchCode?

    /// A request at level 1.
    public init(of persons: Persons, payload: String, reason: String) {
        self.persons = persons
        self.payload = payload
        self.reason = reason
    }

    /// As it is sent.
    var message: AskPersons {
        var (user, users, group, required): (String?, [String]?, String?, Int?)
        switch persons {
        case .person(let name): user = name
        case .several(let names, let count): (users, required) = (names, count)
        case .group(let name, let count): (group, required) = (name, count)
        }
        return AskPersons(
            user: user, users: users, group: group, required: required, requester: requester, payload: payload,
            reason: reason, level: level, authenticatorType: authenticatorType, expiresIn: expiresIn,
            matchCode: matchCode?.rawValue)
    }
}

/// A request that was made: by its id the outcome is asked for.
public struct AskedRequest: Sendable {
    /// The message it came in.
    package let message: AskedMessage

    /// Its id.
    public var id: String { message.id }
    /// How long it lives, in seconds.
    public var expiresIn: Int64 { message.expiresIn }
    /// How many seconds to leave between two polls.
    public var interval: Int64 { message.interval }
    /// What to show where this was asked; nil where there is none.
    public var matchCode: String? { message.matchCode }
}
