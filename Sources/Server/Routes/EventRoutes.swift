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
        return try call.events(
            of: .person(user),
            NotificationEvents(call.service.engine, session, lastID: call.fields[.lastEventID]))
    }
}
