package import CountersignVerifier

extension Activation {
    /// How far it is.
    package enum State: Sendable, Hashable {
        /// The new device knows its options, and has chosen none (rule A02).
        case offered
        /// The user's other devices are asked (rule A05).
        case waiting
        /// One of them approved; what is missing is the password (rules A10 and A11).
        case approved(by: UUIDText)
        /// The user goes on with an activation code (rule A12).
        case fallback
        /// One of them rejected it, or closed the question (rule A08).
        case rejected
        /// The new device gave up (rules A06 and A14).
        case cancelled
        /// It was not done in time (rule O18).
        case expired
        /// The device is one of the user's now.
        case activated(UUIDText)

        /// Its word.
        package var status: Status {
            switch self {
            case .offered: .offered
            case .waiting: .waiting
            case .approved: .approved
            case .fallback: .fallback
            case .rejected: .rejected
            case .cancelled: .cancelled
            case .expired: .expired
            case .activated: .activated
            }
        }
    }

    /// The words of the states: what the new device learns (rule A09).
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case offered, waiting, approved, fallback, rejected, cancelled, expired, activated

        /// Whether nothing can happen to it any more.
        package var isFinal: Bool {
            switch self {
            case .offered, .waiting, .approved, .fallback: false
            case .rejected, .cancelled, .expired, .activated: true
            }
        }
    }

    /// What can happen to an activation. Ends are milliseconds since 1970: of what begins with the event.
    package enum Event: Sendable, Hashable {
        /// The new device wants the others to be asked: `performVerifyAuth(true)`.
        case verify(until: Int64)
        /// One of them approves.
        case approve(Approver, Probation, until: Int64)
        /// One of them rejects, or closes the question without an answer; or the user lets in nobody any more.
        case reject
        /// The new device goes on with a code: `fallbackNewDeviceActivationFlow`.
        case fallBack(until: Int64)
        /// The new device gives up: `performVerifyAuth(false)`, `resetAuthState`.
        case cancel
        /// Time went by.
        case expire
        /// The password was right: the device becomes one of the user's, by the word of the one that approved it, as that is now.
        case activate(UUIDText, by: Approver?)
        /// The device was enrolled with a code.
        case enrol(UUIDText)
    }

    /// What the service has to do because of an event.
    package enum Effect: Sendable, Hashable {
        /// Record the new state.
        case changed
        /// Record it, and ask the user's other devices.
        case ask
        /// Record it, and take back the question to them (rules O19 and O20).
        case withdraw
    }
}
