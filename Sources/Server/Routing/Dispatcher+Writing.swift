internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes
internal import Sessions
internal import Signing
internal import Wire

// The way out: from an answer to its bytes.

extension Dispatcher {
    /// The problem of a refused request.
    func reply(_ refusal: Refusal, id: String, _ request: HTTPRequest, _ route: Route?) -> Reply {
        let problem = Problem(refusal, requestID: id)
        var reply = Reply(refusal.httpStatus, .bytes(problem.json, type: Problem.mediaType))
        if let seconds = problem.retryAfter {
            reply.fields.append(HTTPField(name: .retryAfter, value: String(seconds)))
        }
        if let route {
            let isBearer = request.headerFields[.authorization]?.lowercased().hasPrefix("bearer ") ?? false
            reply.fields += problem.challenges(isBearer: isBearer, of: route)
        }
        if refusal.code == .serverStopping { reply.fields.append(HTTPField(name: .connection, value: "close")) }
        return reply
    }

    /// What every answer has.
    func fields(id: String, type: String?, length: Int?) -> HTTPFields {
        var all: [HTTPField] = []
        all.reserveCapacity(5)
        if let type { all.append(HTTPField(name: .contentType, value: type)) }
        if let length { all.append(HTTPField(name: .contentLength, value: String(length))) }
        all.append(HTTPField(name: .date, value: dates.text(at: service.now())))
        all.append(HTTPField(name: .requestID, value: id))
        all.append(HTTPField(name: .xContentTypeOptions, value: "nosniff"))
        var fields = HTTPFields()
        fields.reserveCapacity(10)
        // `append` of one field costs as much as this of all.
        fields.insert(contentsOf: all, at: 0)
        return fields
    }

    /// Sends an answer.
    func write(_ reply: Reply, to exchange: Exchange, id: String, isWhole: Bool, route: Int?) async throws {
        var (type, length): (String?, Int?)
        switch reply.body {
        case .nothing: length = reply.status == 204 || reply.status == 304 ? nil : 0
        case .bytes(let bytes, let name): (type, length) = (name, bytes.count)
        case .shared(let buffer, let name): (type, length) = (name, buffer.readableBytes)
        case .pieces(let name, _): type = name
        }
        var fields = fields(id: id, type: type, length: length)
        for field in reply.fields { fields.append(field) }
        let hasProof = exchange.request.headerFields.contains(.dpop)
        if let route, table.routes[route].takesProof, reply.status == 401 || hasProof {
            let nonce = service.authenticator.nonces.current(at: service.now())
            fields.append(HTTPField(name: .dpopNonce, value: nonce))
        }
        if !fields.contains(.cacheControl) { fields.append(HTTPField(name: .cacheControl, value: "no-store")) }
        // What is left of the body is nobody's: the connection ends with the answer.
        if !isWhole, !fields.contains(.connection) { fields.append(HTTPField(name: .connection, value: "close")) }
        let head = HTTPResponse(status: .init(code: reply.status), headerFields: fields)
        guard exchange.request.method != .head else { return try await exchange.answer(head) }
        switch reply.body {
        case .nothing: try await exchange.answer(head)
        case .bytes(let bytes, _): try await writeWhole(head, ByteBuffer(bytes: bytes), to: exchange)
        case .shared(let buffer, _): try await writeWhole(head, buffer, to: exchange)
        case .pieces(_, let next):
            try await exchange.write(.head(head))
            // A piece is many rows: they are not read where the sockets of others are.
            while let piece = try await Self.piece(next) {
                for part in Self.portions(of: ByteBuffer(bytes: piece)) { try await exchange.write(.body(part)) }
            }
            try await exchange.write(.end(nil))
        }
    }

    /// How many bytes are given to a connection at once. A long text in one would be under way as long as the slowest peer reads, and
    /// nobody could tell whether that peer reads at all.
    private static let portion = 16_384

    private func writeWhole(_ head: HTTPResponse, _ body: ByteBuffer, to exchange: Exchange) async throws {
        guard body.readableBytes > Self.portion else { return try await exchange.answer(head, body) }
        try await exchange.write(.head(head))
        // Each waits until the peer has taken enough of those before it.
        for part in Self.portions(of: body) { try await exchange.write(.body(part)) }
        try await exchange.write(.end(nil))
    }

    private static func portions(of buffer: ByteBuffer) -> [ByteBuffer] {
        stride(from: buffer.readerIndex, to: buffer.writerIndex, by: portion).compactMap {
            buffer.getSlice(at: $0, length: min(portion, buffer.writerIndex - $0))
        }
    }

    private static func piece(_ next: @Sendable () async throws -> [UInt8]?) async throws(BrokenAnswer) -> [UInt8]? {
        do {
            return try await withTaskExecutorPreference(globalConcurrentExecutor, operation: next)
        } catch {
            throw BrokenAnswer(cause: error)
        }
    }
}

/// The next piece of an answer could not be made: the service's own failure, other than a peer that is gone.
struct BrokenAnswer: Error {
    let cause: any Error
}
