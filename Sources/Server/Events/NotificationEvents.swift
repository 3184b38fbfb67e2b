internal import CountersignJOSE
internal import CountersignVerifier
internal import Notifications
internal import Sessions
internal import SigningService
internal import Synchronization

/// What becomes of a person's notifications.
final class NotificationEvents: EventSource {
    private struct State {
        var mark: NewsMark?
        var isBegun = false
    }

    private let engine: SigningEngine
    private let session: Session
    private let state: Mutex<State>

    /// From what waits, or from behind the event with this id.
    init(_ engine: SigningEngine, _ session: Session, lastID: String?) {
        self.engine = engine
        self.session = session
        state = Mutex(State(mark: lastID.flatMap(Self.mark)))
    }

    func news() async throws -> EventNews {
        let news = try await engine.news(as: session, since: state.withLock { $0.mark })
        let isFirst = state.withLock { state in
            defer { state = State(mark: news.mark, isBegun: true) }
            return !state.isBegun
        }
        // Where nothing waits, whoever comes again must know from where on all the same.
        let begin = isFirst ? [ServerSentEvent(id: news.changes.first?.at ?? news.mark.at)] : []
        let events = news.changes.map { ServerSentEvent(id: $0.at, "notification", Self.json($0)) }
        return EventNews(events: begin + events, due: news.nextEnd)
    }

    private static func json(_ change: NotificationChange) -> [UInt8] {
        var writer = JSONWriter(capacity: 128)
        writer.beginObject()
        writer.member(name: "id", string: change.id.text)
        writer.member(name: "status", string: change.status.rawValue)
        writer.member(name: "at", integer: change.at)
        writer.endObject()
        return writer.bytes
    }

    /// Where an id leads: the time of an event. One that is none begins anew.
    private static func mark(_ id: String) -> NewsMark? {
        guard let at = Int64(id), at >= 0, String(at).utf8.elementsEqual(id.utf8) else { return nil }
        return NewsMark(at: at)
    }
}
