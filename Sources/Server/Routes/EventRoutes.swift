internal import CountersignJOSE
internal import HTTPTypes
internal import Sessions
internal import Signing
internal import SigningService

extension Service {
    /// What happens, as it happens.
    static let eventRoute = Route(
        method: .get, path: PathPattern("/v1/events"), name: "events",
        summary: "What becomes of the person's notifications, as it happens (server-sent events)",
        access: .sessions([.person]), answer: .init(status: 200, type: EventStream.mediaType)
    ) { call in
        let session = try call.session()
        guard case .person(let user) = session.owner else { throw Refusal(.scopeInsufficient) }
        let service = call.service
        let watch: ChangeWatch
        do throws(ChangeHub.Full) {
            watch = try service.engine.changes.watch(.person(user), service.settings.watches)
        } catch {
            switch error {
            case .topic: throw Refusal(.tooManyRequests, .retryAfter(seconds: 60))
            case .inAll: throw Refusal(.serverBusy, .retryAfter(seconds: 60))
            }
        }
        let stream = EventStream(service.engine, session, watch, lastID: call.fields[.lastEventID])
        return Reply(
            200, .pieces(type: EventStream.mediaType, next: { try await stream.next() }),
            // Proxies that collect answers would never pass this one on.
            [HTTPField(name: .accelBuffering, value: "no")], whenClosed: { stream.end() })
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = own("Last-Event-ID")
    fileprivate static let accelBuffering = own("X-Accel-Buffering")
}
