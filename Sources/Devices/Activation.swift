package import CountersignVerifier
package import Signing

/// The way of a new device to its user, as a value: a state, and events with their time. A refused event leaves it untouched; a final
/// state is final. Whether there is such a user is nothing that it knows.
package struct Activation: Sendable, Hashable {
    /// Its id.
    package let id: UUIDText
    /// The thumbprint of the key that the new device proved to have.
    package let thumbprint: String
    /// How far it is, as of the last event.
    package private(set) var state: State
    /// When it ends if nothing happens, milliseconds since 1970; at exactly this time it is over.
    package private(set) var expiresAt: Int64

    /// A new one, or one as a store kept it.
    package init(id: UUIDText, thumbprint: String, state: State = .offered, expiresAt: Int64) {
        self.id = id
        self.thumbprint = thumbprint
        self.state = state
        self.expiresAt = expiresAt
    }

    /// How far it is at a time.
    package func state(at now: Int64) -> State {
        state.status.isFinal || now < expiresAt ? state : .expired
    }

    /// Lets an event happen at a time.
    ///
    /// - Returns: What has to be done now; nil where nothing has changed.
    /// - Throws: Why the event does not stand; nothing has changed then. `activationPending` where nobody has approved yet,
    ///   `activationMethodUnavailable` where the new device has chosen the other way; for what is over `activationRejected`,
    ///   `activationExpired`, `cancelled`, `deviceKeyTaken`; and what `Approver.check` throws.
    package mutating func handle(_ event: Event, at now: Int64) throws(Refusal) -> Effect? {
        switch event {
        // What ends it is harmless where it is over, twice too.
        case .cancel: return end(.cancelled, at: now)
        case .reject: return state(at: now) == .fallback ? nil : end(.rejected, at: now)
        // A code is the operator's word: it does not hang on this.
        case .enrol(let device): return state.status.isFinal ? nil : end(.activated(device))
        case .expire:
            guard !state.status.isFinal, now >= expiresAt else { return nil }
            state = .expired
            return .changed
        case .verify(let end):
            switch try open(at: now) {
            case .offered: return go(to: .waiting, until: end, .ask)
            case .fallback: throw Refusal(.activationMethodUnavailable)
            default: return nil
            }
        case .fallBack(let end):
            switch try open(at: now) {
            case .fallback: return nil
            case .waiting: return go(to: .fallback, until: end, .withdraw)
            default: return go(to: .fallback, until: end, .changed)
            }
        case .approve(let approver, let probation, let end):
            guard case .waiting = try open(at: now) else { throw Refusal(.notificationProcessed) }
            try approver.check(against: thumbprint, by: probation, at: now)
            return go(to: .approved(by: approver.id), until: end, .changed)
        case .activate(let device, let approver):
            switch try open(at: now) {
            case .approved(let id):
                // Whoever was taken out of use meanwhile has no word any more (attacks D2 and D4).
                guard let approver, approver.id == id, approver.state == .active else {
                    throw Refusal(.activationRejected)
                }
                return end(.activated(device))
            case .fallback: throw Refusal(.activationMethodUnavailable)
            default: throw Refusal(.activationPending)
            }
        }
    }

    private mutating func go(to next: State, until end: Int64, _ effect: Effect) -> Effect {
        state = next
        expiresAt = end
        return effect
    }

    private mutating func end(_ last: State, at now: Int64) -> Effect? {
        state(at: now).status.isFinal ? nil : end(last)
    }

    private mutating func end(_ last: State) -> Effect {
        defer { state = last }
        return state == .waiting ? .withdraw : .changed
    }

    /// The state of one that is not over.
    private func open(at now: Int64) throws(Refusal) -> State {
        let state = state(at: now)
        switch state {
        case .offered, .waiting, .approved, .fallback: return state
        case .rejected: throw Refusal(.activationRejected)
        case .cancelled: throw Refusal(.cancelled)
        case .expired: throw Refusal(.activationExpired)
        case .activated: throw Refusal(.deviceKeyTaken)
        }
    }
}
