package import CountersignVerifier
package import Signing

/// A message to a person, and what became of it, as a value: a state, and events with their time. A refused event leaves it
/// untouched; a final state is final (attack N5).
package struct Notification: Sendable, Hashable {
    /// Its id.
    package let id: UUIDText
    /// Whom it is for.
    package let user: UserName
    /// What it says and asks.
    package let content: NotificationContent
    /// What it is about.
    package let matter: NotificationMatter
    /// When it was made, in milliseconds since 1970, like all times here.
    package let createdAt: Int64
    /// When it ends; at exactly this time it is over (attack N2).
    package let expiresAt: Int64
    /// What became of it.
    package private(set) var state: State
    /// The match code of an approval; nil where it needs none.
    package private(set) var match: Match?

    /// A notification as a store kept it.
    package init(
        id: UUIDText, user: UserName, content: NotificationContent, matter: NotificationMatter = .message,
        match: Match? = nil, createdAt: Int64, expiresAt: Int64, state: State = .pending
    ) {
        self.id = id
        self.user = user
        self.content = content
        self.matter = matter
        self.match = match
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.state = state
    }

    /// A new one.
    ///
    /// - Parameter life: How long it lives, in milliseconds; nil: the standard of such content.
    /// - Throws: `notificationMalformed` for a life that none may have.
    package init(
        id: UUIDText, user: UserName, content: NotificationContent, matter: NotificationMatter = .message,
        match: Match? = nil, at now: Int64, life: Int64?
    ) throws(Refusal) {
        let life = life ?? content.standardLife
        guard NotificationContent.lives.contains(life) else { throw .malformedNotification("expiresIn") }
        self.init(
            id: id, user: user, content: content, matter: matter, match: match, createdAt: now,
            expiresAt: now.saturatingAdd(life))
    }

    /// Lets an event happen at a time.
    ///
    /// - Returns: What has to be done now.
    /// - Throws: Why the event does not stand; nothing has changed then.
    package mutating func handle(_ event: Event, at now: Int64) throws(Refusal) -> Effect? {
        switch event {
        case .choose(let name, let device, let code):
            let action = try offered(name, at: now)
            if action.name == NotificationAction.accept, try match?.check(code) == false { return mismatched(at: now) }
            guard !matter.signs(action) else { return .sign(action) }
            return close(.updated(Answer(action: action.name, device: device, at: now, signature: nil)))
        case .signed(let name, let device, let signature):
            let action = try offered(name, at: now)
            guard matter.signs(action) else { throw Refusal(.actionNotOffered) }
            return close(.updated(Answer(action: action.name, device: device, at: now, signature: signature)))
        case .withdraw:
            if case .discarded = state { return nil }
            try checkPending(at: now)
            return close(.discarded(at: now))
        case .dismiss:
            if case .dismissed = state { return nil }
            try checkPending(at: now)
            return close(.dismissed(at: now))
        case .expire:
            guard isPending, now >= expiresAt else { return nil }
            return close(.expired(at: expiresAt))
        }
    }

    /// Says why an action could not be chosen now, whatever code comes with it; nothing where it could.
    ///
    /// - Throws: as `handle`.
    package func checkOffered(_ action: String, at now: Int64) throws(Refusal) { _ = try offered(action, at: now) }

    /// Whether it ended because one wrong code after the other was brought.
    package var isMismatched: Bool { match?.left == 0 }

    private mutating func mismatched(at now: Int64) -> Effect {
        if isMismatched { state = .discarded(at: now) }
        return .mismatched
    }

    private mutating func close(_ end: State) -> Effect {
        state = end
        return .closed
    }

    /// The offered action of this name, as long as it may be chosen.
    private func offered(_ name: String, at now: Int64) throws(Refusal) -> NotificationAction {
        try checkPending(at: now)
        if content.actions.isEmpty { throw Refusal(.notificationWithoutActions) }
        guard let action = content.action(name) else { throw Refusal(.actionNotOffered) }
        return action
    }

    private func checkPending(at now: Int64) throws(Refusal) {
        switch state {
        case .pending: if now >= expiresAt { throw Refusal(.notificationExpired) }
        case .expired: throw Refusal(.notificationExpired)
        case .updated, .discarded, .dismissed: throw Refusal(.notificationProcessed)
        }
    }

    private var isPending: Bool { state == .pending }
}
