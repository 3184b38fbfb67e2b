package import CountersignVerifier
package import Signing

/// A signing request of a relying service, as a value: what is asked, of whom, and how far it is. A refused event leaves it untouched; a
/// final state is final, so that what was authorised is signed at most once a person, and never after the end.
package struct PersonsRequest: Sendable, Hashable {
    /// What became of it.
    package enum State: Sendable, Hashable {
        /// Not enough have signed.
        case pending
        /// As many signed as were needed.
        case done(at: Int64)
        /// So many declined that it cannot be done any more.
        case declined(at: Int64)
        /// Too few signed in time.
        case expired(at: Int64)
        /// Whoever asked took it back.
        case cancelled(at: Int64)

        /// Since when it is so; nil while it is pending.
        package var changedAt: Int64? {
            switch self {
            case .pending: nil
            case .done(let time), .declined(let time), .expired(let time), .cancelled(let time): time
            }
        }
    }

    /// Where one person is with it.
    package enum Answer: Sendable, Hashable {
        /// They have not answered.
        case waiting
        /// They signed: the id of the statement.
        case signed(UUIDText)
        /// They declined, closed the question, or brought wrong match codes.
        case declined
        /// It ended without them.
        case over
    }

    /// Something that happens.
    package enum Event: Sendable, Hashable {
        /// A person signed, and the statement with this id is being recorded.
        case signed(UserName, UUIDText)
        /// A person declined.
        case declined(UserName)
        /// Whoever asked takes it back.
        case cancel
        /// Time went by.
        case expire
    }

    /// What has to be done because of an event.
    package enum Effect: Sendable, Hashable {
        /// Record what the person answered; it goes on.
        case recorded
        /// Record that it is over, and withdraw the questions to those who have not answered.
        case closed
    }

    /// What each person is asked, with the id.
    package let matter: RequestMatter
    /// How many must sign.
    package let required: Int
    /// When it was made, in milliseconds since 1970, like all times here.
    package let createdAt: Int64
    /// When it ends; at exactly this time it is over.
    package let expiresAt: Int64
    /// Who is asked, and where they are with it.
    package private(set) var persons: [UserName: Answer]
    /// What became of it.
    package private(set) var state: State

    /// A request as a store kept it.
    package init(
        _ matter: RequestMatter, required: Int, persons: [UserName: Answer], createdAt: Int64, expiresAt: Int64,
        state: State = .pending
    ) {
        self.matter = matter
        self.required = required
        self.persons = persons
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.state = state
    }

    /// How many signed.
    package var signed: Int {
        persons.values.count { if case .signed = $0 { true } else { false } }
    }

    /// How many declined.
    package var declined: Int { persons.values.count { $0 == .declined } }

    /// Lets an event happen at a time.
    ///
    /// - Returns: what has to be done now; nil: nothing.
    /// - Throws: `requestOver`, `requestExpired`; nothing has changed then.
    package mutating func handle(_ event: Event, at now: Int64) throws(Refusal) -> Effect? {
        switch event {
        case .signed(let user, let id):
            try checkWaiting(user, at: now)
            persons[user] = .signed(id)
            return signed >= required ? close(.done(at: now)) : .recorded
        case .declined(let user):
            try checkWaiting(user, at: now)
            persons[user] = .declined
            return persons.count - declined < required ? close(.declined(at: now)) : .recorded
        case .cancel:
            if case .cancelled = state { return nil }
            try checkPending(at: now)
            return close(.cancelled(at: now))
        case .expire:
            guard state == .pending, now >= expiresAt else { return nil }
            return close(.expired(at: expiresAt))
        }
    }

    private mutating func close(_ end: State) -> Effect {
        state = end
        for (user, answer) in persons where answer == .waiting { persons[user] = .over }
        return .closed
    }

    private func checkWaiting(_ user: UserName, at now: Int64) throws(Refusal) {
        try checkPending(at: now)
        guard persons[user] == .waiting else { throw Refusal(.requestOver) }
    }

    private func checkPending(at now: Int64) throws(Refusal) {
        switch state {
        case .pending: if now >= expiresAt { throw Refusal(.requestExpired) }
        case .expired: throw Refusal(.requestExpired)
        case .done, .declined, .cancelled: throw Refusal(.requestOver)
        }
    }
}
