internal import CountersignJOSE
internal import CountersignVerifier
internal import HTTPTypes
internal import Notifications
internal import Sessions
internal import SigningService
internal import Synchronization

/// What becomes of a person's notifications, as it happens: server-sent events, one after the other, until the session ends, the
/// service stops or the peer goes.
final class EventStream: Sendable {
    static let mediaType = "text/event-stream"

    /// After how many milliseconds without an event something is sent all the same, so that both sides know that the other is there.
    private static let heartbeat: Int64 = 15_000

    private let engine: SigningEngine
    private let session: Session
    private let watch: ChangeWatch
    private let mark: Mutex<NewsMark?>
    private let isBegun = Mutex(false)

    /// A stream that begins with what waits, or behind the event with this id.
    init(_ engine: SigningEngine, _ session: Session, _ watch: ChangeWatch, lastID: String?) {
        self.engine = engine
        self.session = session
        self.watch = watch
        mark = Mutex(lastID.flatMap(Self.mark))
    }

    /// Ends it: the peer has gone.
    func end() { watch.end() }

    /// What is sent next; nil is the end. One at a time asks.
    func next() async throws -> [UInt8]? {
        let isFirst = isBegun.withLock { isBegun in
            defer { isBegun = true }
            return !isBegun
        }
        if isFirst { return try await news(isFirst: true) }
        while true {
            let wake = await watch.next(within: Self.heartbeat)
            guard wake != .ended else { return nil }
            do {
                if let text = try await news() { return text }
            } catch {
                // The session has ended. Where the store fails, the client comes again.
                return nil
            }
            if wake == .timeOver { return Array(":\n\n".utf8) }
        }
    }

    /// The events since the last ones; nil where there are none. The first text also says where the client goes on if it comes again.
    private func news(isFirst: Bool = false) async throws -> [UInt8]? {
        let (changes, mark) = try await engine.news(as: session, since: self.mark.withLock { $0 })
        self.mark.withLock { $0 = mark }
        guard isFirst || !changes.isEmpty else { return nil }
        var text: [UInt8] = []
        if isFirst { text += Array("retry: 3000\nid: \(changes.first?.at ?? mark.at)\n\n".utf8) }
        for change in changes {
            text += Array("id: \(change.at)\nevent: notification\ndata: ".utf8)
            text += Self.json(change)
            text += Array("\n\n".utf8)
        }
        return text
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
