internal import HTTPTypes
internal import NIOCore
internal import Sessions
internal import Signing
internal import Wire

/// A request on its way to its route: what every route has checked already, and who asks.
final class Call: Sendable {
    /// The service.
    let service: Service
    /// The id that the log and the answer carry.
    let requestID: String
    /// The route.
    let route: Route
    /// The values of the path's parameters, in its order.
    let parameters: [String]
    /// The query.
    let query: QueryItems
    /// The header.
    let fields: HTTPFields
    /// The whole body.
    let body: [UInt8]
    /// The connection that it came over, or the stream of one.
    let channel: any Channel
    /// Where it comes from, as far as that can be believed.
    let address: IPAddress?
    /// When it came, in milliseconds since 1970.
    let now: Int64
    /// Who asks.
    let principal: Principal
    /// The hash of the session's token, where the session is only presumed: the engine must make sure of it.
    let presumed: [UInt8]?
    /// The name that the client gave the request, where it did.
    let name: RequestName?

    init(
        service: Service, requestID: String, route: Route, parameters: [String], query: QueryItems, fields: HTTPFields,
        body: [UInt8], channel: any Channel, address: IPAddress?, now: Int64, principal: Principal, presumed: [UInt8]?,
        name: RequestName?
    ) {
        self.service = service
        self.requestID = requestID
        self.route = route
        self.parameters = parameters
        self.query = query
        self.fields = fields
        self.body = body
        self.channel = channel
        self.address = address
        self.now = now
        self.principal = principal
        self.presumed = presumed
        self.name = name
    }

    /// What the route answers.
    func run() async throws -> Reply {
        guard route.isHeavy else { return try await route.run(self) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) { try await route.run(self) }
    }

    /// The session that asks.
    func session() throws(Refusal) -> Session {
        guard case .session(let session) = principal else { throw Refusal(.tokenMissing) }
        return session
    }

    /// The proof of a key that came without a session.
    func proof() throws(Refusal) -> DPoPProof {
        guard case .holder(let proof) = principal else { throw Refusal(.proofMissing) }
        return proof
    }

    /// The value of the path's first parameter.
    func parameter() -> String { parameters.first ?? "" }

    /// The body as the message of the route.
    func message<Message: WireMessage>(_ type: Message.Type = Message.self) throws(Refusal) -> Message {
        try Message.parse(body)
    }

    /// Whether the client would rather have this media type than JSON.
    func prefers(_ type: String) -> Bool {
        let values = fields[values: .accept]
        return MediaType.accepts(values, type) && !MediaType.accepts(values, "application/json")
    }
}
