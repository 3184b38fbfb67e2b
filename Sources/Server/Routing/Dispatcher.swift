internal import CountersignVerifier
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import Sessions
internal import Signing
internal import Synchronization
internal import Wire

/// From a request to its route, and from what that says to an answer. Whatever happens, the answer is a problem or what the
/// route's entry in the table says.
struct Dispatcher: Sendable {
    let service: Service
    let table: RouteTable
    private let ids: RequestIDs
    private let dates = HTTPDate()
    private let peers: Peers

    init(service: Service, table: RouteTable) throws {
        self.service = service
        self.table = table
        ids = try RequestIDs()
        peers = Peers(trusted: service.settings.proxies)
    }

    /// Answers one request.
    @Sendable @concurrent
    func respond(_ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel) async throws {
        let begin = ContinuousClock.now
        let id = ids.make()
        var reading = BodyReading(request, service.bodies)
        var index: Int?
        var reply: Reply
        do {
            reply = try await self.reply(to: request, id: id, channel, &index, &reading)
        } catch is ConnectionGuard.BrokenRequest {
            // The guard has answered already.
            return
        } catch {
            let refusal = Refusal(error)
            service.logger.record(error, requestID: id, route: index.map { table.routes[$0].path.text } ?? "")
            reply = self.reply(refusal, id: id, request, index.map { table.routes[$0] })
            if !isWellFormed(request) { reply.fields.append(HTTPField(name: .connection, value: "close")) }
            if case .methodNotAllowed = refusal.code, case .method(let allow)? = match(request) {
                reply.fields.append(HTTPField(name: .allow, value: allow))
            }
        }
        try await write(reply, to: request, id: id, isWhole: reading.isWhole, route: index, writer)
        let time = begin.duration(to: .now).components
        let microseconds = time.seconds * 1_000_000 + time.attoseconds / 1_000_000_000_000
        service.metrics.figures(of: index).record(status: reply.status, microseconds: microseconds)
        log(request, reply, id: id, route: index, microseconds: microseconds)
    }

    /// The problem of a request that never became one.
    func refuse(_ refusal: Refusal) -> (head: HTTPResponse, body: ByteBuffer) {
        let id = ids.make()
        let problem = Problem(refusal, requestID: id).json
        var fields = self.fields(id: id, type: Problem.mediaType, length: problem.count)
        fields[.cacheControl] = "no-store"
        fields[.connection] = "close"
        service.metrics.figures(of: nil).record(status: refusal.httpStatus, microseconds: 0)
        return (HTTPResponse(status: .init(code: refusal.httpStatus), headerFields: fields), ByteBuffer(bytes: problem))
    }

    // MARK: In

    private func match(_ request: Request) -> RouteTable.Match? {
        RequestPath(request.head.path ?? "").map { table.match(request.method, $0.text) }
    }

    private func reply(
        to request: Request, id: String, _ channel: any Channel, _ index: inout Int?, _ reading: inout BodyReading
    ) async throws -> Reply {
        guard isWellFormed(request) else { throw Refusal(.requestMalformed) }
        guard let path = RequestPath(request.head.path ?? "") else { throw Refusal(.routeUnknown) }
        let parameters: [String]
        switch table.match(request.method, path.text) {
        case .nothing: throw Refusal(.routeUnknown)
        case .method: throw Refusal(.methodNotAllowed)
        case .route(let route, let values): (index, parameters) = (route, values)
        }
        guard let index else { throw Refusal(.routeUnknown) }
        let route = table.routes[index]
        if service.isStopping, route.name != "health" { throw Refusal(.serverStopping) }
        try checkHeader(request, route)
        let peer = IPAddress(channel.remoteAddress ?? channel.parent?.remoteAddress)
        let address = peers.origin(of: peer, request.headers)
        let body: Result<[UInt8], Refusal>
        defer { reading.release() }
        do {
            body = .success(
                try await reading.collect(upTo: route.bodyLimit, takes: route.input, from: address?.network))
        } catch let refusal as Refusal where refusal.code != .requestTooLarge {
            // What is wrong with it is for those who may use the route.
            body = .failure(refusal)
        }
        // Who sends or reads slowly has no place here.
        let count = service.metrics.inFlight.enter()
        defer { service.metrics.inFlight.leave() }
        if count > service.settings.maxRequests, route.access != .observers { throw Refusal(.serverBusy) }
        let now = service.now()
        func call(_ principal: Principal, presumed: [UInt8]? = nil) throws(Refusal) -> Call {
            let body = try body.get()
            return Call(
                service: service, requestID: id, route: route, parameters: parameters,
                query: try QueryItems(path.query, allowed: route.query.map(\.name)), fields: request.headers,
                body: body, address: address, now: now, principal: principal, presumed: presumed,
                name: try RequestName(request.headers, route, path: path.text, body: body, principal))
        }
        // A relying service that was seen a moment ago need not be looked up: the transaction makes sure. What is refused
        // is refused on the long way, as for anybody else.
        if route.isConfirmed, let (session, access) = service.authenticator.presumed(request.headers),
            let call = try? call(.session(session), presumed: access), let reply = try await call.runPresumed()
        {
            return reply
        }
        let principal = try await principal(request, route, path.written, address, at: now)
        let call = try call(principal)
        return try await charging(route, address, at: now) { try await call.runOnce() }
    }

    /// Whether others on the way can have understood the request in another way: RFC 9112 sections 3.2 and 6.1. Where they
    /// can, the connection ends (attack A5).
    private func isWellFormed(_ request: Request) -> Bool {
        let fields = request.headers
        // One Host, neither none nor two.
        guard request.head.authority != nil, !fields.contains(.secondHost) else { return false }
        return fields[.transferEncoding].map { $0.lowercased() == "chunked" } ?? true
    }

    /// What holds for every request, whatever its route does.
    private func checkHeader(_ request: Request, _ route: Route) throws(Refusal) {
        let fields = request.headers
        guard !fields.contains(.contentEncoding) else { throw Refusal(.mediaType) }
        guard fields.contains(.accept) else { return }
        let accepted = fields[values: .accept]
        let types = [route.answer.type].compactMap { $0 } + route.answer.alternatives
        guard types.isEmpty || types.contains(where: { MediaType.accepts(accepted, $0) }) else {
            throw Refusal(.notAcceptable)
        }
    }

    /// Who asks, if they may ask so often.
    private func principal(
        _ request: Request, _ route: Route, _ path: Substring, _ address: IPAddress?, at now: Int64
    ) async throws -> Principal {
        let principal = try await charging(route, address, at: now) {
            try await service.authenticator.principal(request.headers, route, path: path, at: now)
        }
        switch principal {
        case .session(let session) where session.role != .service:
            if let seconds = service.requests.take(of: session.id.text, at: now) {
                throw Refusal(.tooManyRequests, .retryAfter(seconds: seconds))
            }
        case .holder where route.access == .holdersOfKey:
            if let seconds = service.attempts.take(of: address?.network ?? .unknown, at: now) {
                throw Refusal(.tooManyRequests, .retryAfter(seconds: seconds))
            }
        default: break
        }
        return principal
    }

    /// Does something, and counts it against the address where nobody is known by it.
    private func charging<Value: Sendable>(
        _ route: Route, _ address: IPAddress?, at now: Int64, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch let refusal as Refusal {
            switch refusal.code {
            case .tokenInvalid, .proofInvalid, .proofReplayed, .clientInvalid, .grantInvalid:
                if let seconds = service.attempts.take(of: address?.network ?? .unknown, at: now) {
                    throw Refusal(.tooManyRequests, .retryAfter(seconds: seconds))
                }
            default: break
            }
            throw refusal
        }
    }

    // MARK: Out

    private func reply(_ refusal: Refusal, id: String, _ request: Request, _ route: Route?) -> Reply {
        let problem = Problem(refusal, requestID: id)
        var reply = Reply(refusal.httpStatus, .bytes(problem.json, type: Problem.mediaType))
        if let seconds = problem.retryAfter {
            reply.fields.append(HTTPField(name: .retryAfter, value: String(seconds)))
        }
        if let route {
            let isBearer = request.headers[.authorization]?.lowercased().hasPrefix("bearer ") ?? false
            reply.fields += problem.challenges(isBearer: isBearer, of: route)
        }
        if refusal.code == .serverStopping { reply.fields.append(HTTPField(name: .connection, value: "close")) }
        return reply
    }

    private func fields(id: String, type: String?, length: Int?) -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(10)
        if let type { fields.append(HTTPField(name: .contentType, value: type)) }
        if let length { fields.append(HTTPField(name: .contentLength, value: String(length))) }
        fields.append(HTTPField(name: .date, value: dates.text(at: service.now())))
        fields.append(HTTPField(name: .requestID, value: id))
        fields.append(HTTPField(name: .xContentTypeOptions, value: "nosniff"))
        return fields
    }

    @concurrent
    private func write(
        _ reply: Reply, to request: Request, id: String, isWhole: Bool, route: Int?, _ writer: consuming ResponseWriter
    ) async throws {
        var (type, length): (String?, Int?)
        switch reply.body {
        case .nothing: length = reply.status == 204 || reply.status == 304 ? nil : 0
        case .bytes(let bytes, let name): (type, length) = (name, bytes.count)
        case .pieces(let name, _): type = name
        }
        var fields = fields(id: id, type: type, length: length)
        for field in reply.fields { fields.append(field) }
        if let route, table.routes[route].takesProof, reply.status == 401 || request.headers.contains(.dpop) {
            let nonce = service.authenticator.nonces.current(at: service.now())
            fields.append(HTTPField(name: .dpopNonce, value: nonce))
        }
        if !fields.contains(.cacheControl) { fields.append(HTTPField(name: .cacheControl, value: "no-store")) }
        // What is left of the body is nobody's: the connection ends with the answer.
        if !isWhole, !fields.contains(.connection) { fields.append(HTTPField(name: .connection, value: "close")) }
        let head = HTTPResponse(status: .init(code: reply.status), headerFields: fields)
        guard request.method != .head else { return try await writer.writeResponse(head) }
        switch reply.body {
        case .nothing: try await writer.writeResponse(head)
        case .bytes(let bytes, _):
            try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        case .pieces(_, let next):
            let body = ResponseBody { writer in
                while let piece = try await next() { try await writer.write(ByteBuffer(bytes: piece)) }
                try await writer.finish(nil)
            }
            try await writer.write(response: head, body: body)
        }
    }

    private func log(_ request: Request, _ reply: Reply, id: String, route: Int?, microseconds: Int64) {
        guard service.settings.isAccessLogged || service.logger.logLevel <= .debug else { return }
        service.logger.log(
            level: service.settings.isAccessLogged ? .info : .debug, "request",
            metadata: [
                "id": "\(id)", "method": "\(route.map { table.routes[$0].method.rawValue } ?? "")",
                "route": "\(route.map { table.routes[$0].path.text } ?? "")",
                "status": .stringConvertible(reply.status), "us": .stringConvertible(Int(microseconds)),
            ])
    }
}
