internal import CountersignVerifier
internal import HTTPTypes
internal import ServiceMessages
internal import Sessions
internal import Signing
internal import SigningService
internal import Storage
internal import Wire

extension Call {
    /// Does what the route does, or answers again what was answered to a request of the same name.
    func runOnce() async throws -> Reply {
        guard let name else { return try await run() }
        return try await service.running.run(name) {
            if let reply = try await kept(name) { return reply }
            do {
                return try await run()
            } catch let error as StorageError where error.code == .constraint {
                // Another daemon or an earlier try was faster.
                guard let reply = try await kept(name) else { throw error }
                return reply
            }
        }
    }

    /// Does what the route does for a session that is only presumed. Only success counts.
    ///
    /// - Returns: nil where the session must be looked up first, or the request may have been answered already.
    func runPresumed() async throws -> Reply? {
        do {
            guard let name else { return try await run() }
            guard !service.recentNames.contains(name.entry) else { return nil }
            let reply = try await service.running.run(name) { try await run() }
            service.recentNames.add(name.entry)
            return reply
        } catch is Refusal {
            return nil
        } catch let error as StorageError where error.code == .constraint {
            return nil
        }
    }

    private func kept(_ name: RequestName) async throws -> Reply? {
        let kept = try await service.engine.keptReply(owner: name.owner, key: name.key, digest: name.digest)
        switch kept {
        case nil: return nil
        case .body(let status, let bytes)?:
            let type = status < 400 ? route.answer.type ?? "application/json" : Problem.mediaType
            return Reply(status, bytes.isEmpty ? .nothing : .bytes(bytes, type: type))
        case .signing(let id)?:
            return try signing(await service.engine.signing(id, as: session().owner))
        }
    }

    /// The name of the request for the engine, with what is kept of its value; nil where it has none.
    func once<Value: Sendable>(_ reply: @escaping @Sendable (Value) throws -> KeptReply) -> Once<Value>? {
        let id = requestID
        return name.map { name in
            Once(
                owner: name.owner, key: name.key, digest: name.digest,
                refused: { .body(status: $0.httpStatus, Problem($0, requestID: id).json) }, reply: reply)
        }
    }

    /// Does something whose value is a message, which is kept as the answer.
    func answer<Value: Sendable, Message: WireMessage>(
        _ message: @escaping @Sendable (Value) -> Message, _ work: (Once<Value>?) async throws -> Value
    ) async throws -> Reply {
        let status = route.answer.status
        let value = try await work(once { .body(status: status, message($0).json) })
        return .json(message(value).json, status: status)
    }

    /// A signing as it stands, with the status of the route.
    func signing(_ record: SigningRecord) -> Reply {
        let isNew = route.answer.status == 201
        let fields = isNew ? [HTTPField(name: .location, value: "/v1/signings/\(record.id.text)")] : []
        return .json(SigningMessage(record).json, status: route.answer.status, fields)
    }
}
