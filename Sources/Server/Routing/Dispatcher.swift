internal import HTTPTypes
internal import Logging
internal import NIOCore
internal import Signing
internal import Wire

/// From a request to its route, and from what that says to an answer. Whatever happens, the answer is a problem or what the
/// route's entry in the table says.
struct Dispatcher: Sendable {
    let service: Service
    let table: RouteTable
    let ids: RequestIDs
    let dates = HTTPDate()
    let peers: Peers

    init(service: Service, table: RouteTable) throws {
        self.service = service
        self.table = table
        ids = try RequestIDs()
        peers = Peers(trusted: service.settings.proxies)
    }

    /// Answers one request.
    func respond(_ exchange: Exchange) async throws {
        let request = exchange.request
        let id = ids.make()
        var reading = BodyReading(exchange, service.bodies)
        var index: Int?
        var reply: Reply
        do {
            reply = try await self.reply(to: exchange, id: id, &index, &reading)
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
        if let whenClosed = reply.whenClosed { exchange.channel.closeFuture.whenComplete { _ in whenClosed() } }
        let failure: (any Error)?
        do {
            try await write(reply, to: exchange, id: id, isWhole: reading.isWhole, route: index)
            failure = nil
        } catch {
            failure = error
        }
        let time = exchange.begin.duration(to: .now).components
        let microseconds = time.seconds * 1_000_000 + time.attoseconds / 1_000_000_000_000
        service.metrics.figures(of: index).record(status: reply.status, microseconds: microseconds)
        log(request, reply, id: id, route: index, microseconds: microseconds)
        // Who reads events goes when they like: such an answer is never whole.
        guard let failure, reply.whenClosed == nil else { return }
        // Its status is said already: what is left is to end the connection, so that nobody takes the part for the whole.
        service.metrics.broken.add()
        if let failure = failure as? BrokenAnswer {
            service.logger.record(failure.cause, requestID: id, route: index.map { table.routes[$0].path.text } ?? "")
        }
        throw failure
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

    private func log(_ request: HTTPRequest, _ reply: Reply, id: String, route: Int?, microseconds: Int64) {
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
