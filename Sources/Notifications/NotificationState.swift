package import CountersignVerifier

extension Notification {
    /// What became of a notification.
    package enum State: Sendable, Hashable {
        /// It waits.
        case pending
        /// It was answered.
        case updated(Answer)
        /// Nobody answered in time.
        case expired(at: Int64)
        /// Whoever asked withdrew it (rule O19).
        case discarded(at: Int64)
        /// The person closed it without an answer, or an operator did (rule O19).
        case dismissed(at: Int64)

        /// Its word.
        package var status: Status {
            switch self {
            case .pending: .pending
            case .updated: .updated
            case .expired: .expired
            case .discarded: .discarded
            case .dismissed: .dismissed
            }
        }

        /// Since when it is so; nil while it is pending.
        package var changedAt: Int64? {
            switch self {
            case .pending: nil
            case .updated(let answer): answer.at
            case .expired(let time), .discarded(let time), .dismissed(let time): time
            }
        }
    }

    /// The words of the states; the history has all but the first (rules H11, O34).
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case pending = "PENDING"
        case updated = "UPDATED"
        case expired = "EXPIRED"
        case discarded = "DISCARDED"
        case dismissed = "DISMISSED"

        /// Whether nothing can happen to it any more.
        package var isFinal: Bool { self != .pending }
    }

    /// What was chosen, where and when.
    package struct Answer: Sendable, Hashable {
        /// The action's name.
        package let action: String
        /// The device that answered.
        package let device: UUIDText
        /// When, in milliseconds since 1970.
        package let at: Int64
        /// The id of the statement that says so; nil for an action of level 0.
        package let signature: UUIDText?

        /// An answer.
        package init(action: String, device: UUIDText, at: Int64, signature: UUIDText?) {
            self.action = action
            self.device = device
            self.at = at
            self.signature = signature
        }
    }

    /// What can happen to a notification.
    package enum Event: Sendable, Hashable {
        /// A device of the person, which may, chooses an action, with the match code where one is brought.
        case choose(String, device: UUIDText, code: String? = nil)
        /// The choice was signed, and the statement with this id is being recorded.
        case signed(String, device: UUIDText, signature: UUIDText)
        /// Whoever asked takes it back.
        case withdraw
        /// The person, or an operator, closes it without an answer.
        case dismiss
        /// Time went by.
        case expire
    }

    /// What the service has to do because of an event.
    package enum Effect: Sendable, Hashable {
        /// Record that it is over.
        case closed
        /// Have this choice signed; nothing has changed yet.
        case sign(NotificationAction)
        /// Record that a wrong match code was brought, and refuse the choice. With the last one it is over.
        case mismatched
    }
}
