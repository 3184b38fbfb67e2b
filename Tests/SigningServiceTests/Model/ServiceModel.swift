import CountersignKeys
import CountersignVerifier
import Devices
import Notifications
import Sessions
import Signing
import SigningService

/// What the service must say: persons with their devices, what they are asked, and what they signed, kept in the simplest way. Each kind of
/// event has a function that says which refusals stand, none where it must be done, and one that does it.
struct ServiceModel {
    typealias Code = Refusal.Code

    struct Person {
        let name: UserName
        var isLocked = false
        /// Whether they let in no new device.
        var admitsNone = false
        /// When their name was asked for by new devices.
        var askedAt: [Int64] = []
        /// When they changed their devices.
        var changes: [Int64] = []
        var coolingUntil: Int64 = 0
        /// How many answers to challenges were wrong since the last right one.
        var wrong = 0
    }

    struct Device {
        let person: Int
        let id: UUIDText
        let key: PrivateKey
        var name: String
        var state = DeviceState.active
        let activatedAt: Int64
    }

    /// A session of a device.
    struct Login {
        let session: Session
        let device: Int
        var isOver = false
    }

    /// A notification.
    struct Question {
        enum Origin: Equatable {
            case service, anOperator
            case shop(Int)
        }

        enum Matter: Equatable {
            case message
            case request(Int)
            case activation(Int)
        }

        /// Nil until the inbox has it.
        var id: UUIDText?
        let person: Int
        let origin: Origin
        let matter: Matter
        let subject: String
        /// The first line of the message.
        let line: String
        /// The level of `Accept`; nil: nothing to choose.
        let level: Int?
        /// The match code that must be brought.
        var code: String?
        var wrong = 0
        let createdAt: Int64
        let end: Int64
        /// The devices that it was sent to.
        let sentTo: Set<Int>
        var state = Notification.State.pending

        func state(at now: Int64) -> Notification.State {
            state == .pending && now >= end ? .expired(at: end) : state
        }

        /// Why nothing can happen to it any more.
        func objections(at now: Int64) -> Set<Code> {
            switch state(at: now) {
            case .pending: []
            case .expired: [.notificationExpired]
            case .updated, .discarded, .dismissed: [.notificationProcessed]
            }
        }
    }

    struct Request {
        let id: UUIDText
        let shop: Int
        let level: Int
        let required: Int
        let end: Int64
        var answers: [Int: PersonsRequest.Answer]
        var state = PersonsRequest.State.pending

        func state(at now: Int64) -> PersonsRequest.State {
            state == .pending && now >= end ? .expired(at: end) : state
        }
    }

    struct Signing {
        enum State { case open, signed, cancelled }

        let id: UUIDText
        let login: Int
        /// What it answers.
        let question: Int?
        let end: Int64
        /// Whether nobody is asked: then it is over as soon as it is there, and known by its statement alone.
        let isInstant: Bool
        var state = State.open
    }

    struct Activation {
        let newcomer: Newcomer
        let name: String
        let person: Int
        var status = Devices.Activation.Status.offered
        var end: Int64
        var question: Int?
        var code: String?
        var approver: Int?

        func status(at now: Int64) -> Devices.Activation.Status { status.isFinal || now < end ? status : .expired }
    }

    /// For how long new devices may neither sign nor approve.
    let probation: Int64
    var people: [Person] = []
    var devices: [Device] = []
    var logins: [Login] = []
    var questions: [Question] = []
    var requests: [Request] = []
    var signings: [Signing] = []
    var activations: [Activation] = []
    /// What was signed: the id of each statement, and that of its signing.
    var statements: [UUIDText: UUIDText] = [:]

    /// What was changed since somebody compared.
    var changed: (questions: Set<Int>, requests: Set<Int>, activations: Set<Int>, people: Set<Int>) = ([], [], [], [])

    init(probation: Int64) { self.probation = probation }

    static let life: Int64 = 300_000
    static let hour: Int64 = 3_600_000

    func isAlive(_ login: Int, at now: Int64) -> Bool { !logins[login].isOver && now < logins[login].session.expiresAt }

    func person(of login: Int) -> Int { devices[logins[login].device].person }

    func isOnProbation(_ device: Int, at now: Int64) -> Bool { now < devices[device].activatedAt + probation }

    func activeDevices(of person: Int) -> Set<Int> {
        Set(devices.indices.filter { devices[$0].person == person && devices[$0].state == .active })
    }
}
