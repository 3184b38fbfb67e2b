internal import CountersignVerifier
internal import HTTPTypes
internal import NIOCore
internal import Sessions
internal import Signing
internal import Wire

// The way in: from a request to what its route answers.

extension Dispatcher {
    /// What is at the path of a request; nil for a path that is none.
    func match(_ request: HTTPRequest) -> RouteTable.Match? {
        RequestPath(request.path ?? "").map { table.match(request.method, $0.text) }
    }

    /// What the route of a request answers.
    ///
    /// - Parameters:
    ///   - index: becomes the route, as soon as it is known.
    ///   - reading: tells how much of the body was read.
    func reply(
        to exchange: Exchange, id: String, _ index: inout Int?, _ reading: inout BodyReading
    ) async throws -> Reply {
        let (request, channel) = (exchange.request, exchange.channel)
        guard isWellFormed(request) else { throw Refusal(.requestMalformed) }
        guard let path = RequestPath(request.path ?? "") else { throw Refusal(.routeUnknown) }
        let parameters: [String]
        switch table.match(request.method, path.text) {
        case .nothing: throw Refusal(.routeUnknown)
        case .method: throw Refusal(.methodNotAllowed)
        case .route(let route, let values): (index, parameters) = (route, values)
        }
        guard let index else { throw Refusal(.routeUnknown) }
        let route = table.routes[index]
        if service.hasStopped(before: exchange.begin), route.name != "health" { throw Refusal(.serverStopping) }
        try checkHeader(request, route, isCounted: !channel.isStream)
        let peer = IPAddress(channel.remoteAddress ?? channel.parent?.remoteAddress)
        let address = peers.origin(of: peer, request.headerFields)
        let body: Result<[UInt8], Refusal>
        defer { reading.release() }
        do {
            body = .success(
                try await reading.collect(
                    upTo: route.bodyLimit(service.settings), takes: route.input, from: address?.network))
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
                query: try QueryItems(path.query, allowed: route.query.map(\.name)), fields: request.headerFields,
                body: body, channel: channel, address: address, now: now, principal: principal, presumed: presumed,
                name: try RequestName(request.headerFields, route, path: path.text, body: body, principal))
        }
        // A relying service that was seen a moment ago need not be looked up: the transaction makes sure. What is refused
        // is refused on the long way, as for anybody else.
        if route.isConfirmed, let (session, access) = service.authenticator.presumed(request.headerFields),
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
    func isWellFormed(_ request: HTTPRequest) -> Bool {
        let fields = request.headerFields
        // One Host, neither none nor two, and one that is a host.
        guard let host = request.authority, Authority.isWellFormed(host), !fields.contains(.secondHost) else {
            return false
        }
        return !fields.contains(.transferEncoding) || fields[.transferEncoding]?.lowercased() == "chunked"
    }

    /// What holds for every request, whatever its route does.
    ///
    /// - Parameter isCounted: the decoder of HTTP/1.1 has counted its bytes already, that of HTTP/2 does not.
    private func checkHeader(_ request: HTTPRequest, _ route: Route, isCounted: Bool) throws(Refusal) {
        let fields = request.headerFields
        let limits = service.settings.connection
        guard fields.count <= limits.headerFields,
            isCounted
                || fields.reduce(0, { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }) <= limits.headerBytes
        else { throw Refusal(.headersTooLarge) }
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
        _ request: HTTPRequest, _ route: Route, _ path: Substring, _ address: IPAddress?, at now: Int64
    ) async throws -> Principal {
        let principal = try await charging(route, address, at: now) {
            try await service.authenticator.principal(
                request.headerFields, route, method: request.method, path: path, at: now)
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
            // Not an invalid token: whoever shares their address with many must learn that it has expired.
            case .proofInvalid, .proofReplayed, .clientInvalid, .grantInvalid:
                if let seconds = service.attempts.take(of: address?.network ?? .unknown, at: now) {
                    throw Refusal(.tooManyRequests, .retryAfter(seconds: seconds))
                }
            default: break
            }
            throw refusal
        }
    }
}
