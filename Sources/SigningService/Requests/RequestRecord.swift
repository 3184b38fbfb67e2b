package import CountersignVerifier
package import Notifications

/// What a relying service wants of persons.
package struct RequestDraft: Sendable {
    /// Whom it asks.
    package enum Persons: Sendable {
        /// One person.
        case person(UserName)
        /// So many of these; nil: all.
        case several([UserName], required: Int?)
        /// So many of a group; nil: all.
        case group(GroupName, required: Int?)
    }

    /// What it says of the match code.
    package enum MatchChoice: String, Sendable, CaseIterable {
        /// Whoever approves must bring it.
        case required
        /// Whoever approves is shown it.
        case offered
        /// There is none.
        case without = "none"
    }

    /// Whom it asks.
    package let persons: Persons
    /// On whose behalf; that person is not asked.
    package let requester: UserName?
    /// What is to be signed, exactly.
    package let payload: [UInt8]
    /// Why.
    package let reason: [UInt8]
    /// The level.
    package let level: Int
    /// The type of authenticator.
    package let type: Int
    /// How long it lives, in milliseconds; nil: five minutes.
    package let life: Int64?
    /// What it says of the match code; nil: the setting.
    package let match: MatchChoice?

    /// A draft.
    package init(
        _ persons: Persons, requester: UserName? = nil, payload: [UInt8], reason: [UInt8], level: Int = 1,
        type: Int = 0,
        life: Int64? = nil, match: MatchChoice? = nil
    ) {
        self.persons = persons
        self.requester = requester
        self.payload = payload
        self.reason = reason
        self.level = level
        self.type = type
        self.life = life
        self.match = match
    }
}

/// A signing request as whoever asked sees it.
package struct RequestRecord: Sendable {
    /// The request itself.
    package let request: PersonsRequest
    /// The group that was asked.
    package let group: String?
    /// What came of it.
    package let outcome: Outcome?

    /// What came of a request that is done.
    package enum Outcome: Sendable {
        /// The statement of the one person who was asked.
        case statement(SignedResult)
        /// The statements of several persons: the text of a bundle (docs/bundle.md).
        case bundle([UInt8])
    }
}

/// A request that was just made.
package struct MadeRequest: Sendable {
    /// The request.
    package let request: PersonsRequest
    /// What is to be shown where it was asked; nil where there is none.
    package let matchCode: MatchCode?
}

/// A named group of persons.
package struct PersonGroup: Sendable {
    /// Its name.
    package let name: GroupName
    /// The members, by name.
    package let members: [String]
    /// When it was made, milliseconds since 1970.
    package let createdAt: Int64
    /// When it was changed last.
    package let changedAt: Int64
}
