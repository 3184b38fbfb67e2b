internal import CountersignVerifier
internal import Notifications
internal import ServiceMessages
internal import Sessions
internal import Signing
internal import SigningService
internal import Synchronization
internal import Wire

/// Where a relying service's request is: how it stands, each answer of a person, and what came of it, as whoever asks for it is told.
final class RequestEvents: EventSource {
    private let engine: SigningEngine
    private let id: UUIDText
    private let client: ClientName
    private let session: Session
    private let requestID: String
    private let told = Mutex<PersonsRequest?>(nil)

    /// - Parameter requestID: of the stream, for a problem at its end.
    init(_ engine: SigningEngine, _ id: UUIDText, _ client: ClientName, _ session: Session, requestID: String) {
        self.engine = engine
        self.id = id
        self.client = client
        self.session = session
        self.requestID = requestID
    }

    func news() async throws -> EventNews {
        try await engine.checkAlive(session)
        let record = try await engine.request(id, as: client)
        let isNew = told.withLock { told in
            defer { told = record.request }
            return told != record.request
        }
        let due = record.request.expiresAt
        guard isNew else { return EventNews(events: [], due: due) }
        do throws(Refusal) {
            let isDone = try record.isDone()
            return EventNews(
                events: [ServerSentEvent("request", RequestMessage(record).json)], due: due, isLast: isDone)
        } catch {
            let problem = Problem(error, requestID: requestID)
            return EventNews(events: [ServerSentEvent("problem", problem.json)], isLast: true)
        }
    }
}

extension RequestRecord {
    /// Whether there is a result; not, as long as it waits.
    ///
    /// - Throws: why there will be none.
    func isDone() throws(Refusal) -> Bool {
        switch request.state {
        case .pending: false
        case .done: true
        case .declined, .cancelled: throw Refusal(.cancelled)
        case .expired: throw Refusal(.requestExpired)
        }
    }
}
