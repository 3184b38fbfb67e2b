internal import Signing
internal import Wire

/// How long one question for an outcome waits at the service, in seconds.
private let longestWait = 20
/// What to leave between two questions where nothing else is said (OpenID CIBA Core section 7.3).
private let pollPause = Duration.seconds(5)
/// How long a service may be away before whoever waits is told, in milliseconds.
private let patience: Int64 = 120_000

extension Asking {
    private var connection: ServiceConnection { asker.connection }
    private var authorizer: any Authorizer { asker.authorizer }

    /// Asks one person or several to sign.
    ///
    /// - Parameter key: An `Idempotency-Key`: with the same one the same request is made once; nil: one that nobody else makes.
    /// - Throws: `refused` with 146 where all devices of the one person who is asked are on probation for longer than the request lives,
    ///   1721 where too many questions wait for one of them, 1726 for what cannot be asked, 1727 for a group that there is not. Not whether there is such a person: then nobody answers.
    public func ask(_ new: NewRequest, key: String? = nil) async throws(ServiceError) -> AskedRequest {
        AskedRequest(
            message: try await connection.message(.post("/v1/requests", new.message, key: key), as: authorizer))
    }

    /// Where a request is, asked once.
    ///
    /// - Parameter seconds: How long the service may wait for an answer before it says that there is none; 0: not at all, and then
    ///   leave the request's interval between two questions.
    /// - Throws: `refused` with 1720 for a request that is not its own, 1723 where it was asked too soon.
    public func request(_ id: String, waiting seconds: Int = 0) async throws(ServiceError) -> RequestOutcome {
        let message: RequestMessage
        do throws(ServiceError) {
            message = try await connection.message(
                .get("/v1/requests/\(Call.segment(id))", wait: seconds), as: authorizer)
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            switch refusal.refusal?.code {
            case .authorizationPending: return .pending
            case .cancelled: return .declined
            case .requestExpired: return .expired
            default: throw error
            }
        }
        try message.check(id)
        return .done(RequestRecord(message))
    }

    /// What came of a request, however long that takes. A service that is away for less than two minutes is asked again.
    ///
    /// - Parameter trouble: Is told why the service cannot be asked now, once each time that it goes away.
    /// - Returns: never `pending`.
    /// - Throws: `cancelled` where the task is; the request goes on then.
    public func outcome(
        of id: String, trouble: @Sendable (ServiceError) -> Void = { _ in }
    ) async throws(ServiceError) -> RequestOutcome {
        var awayUntil: Int64?
        while true {
            let began = connection.surroundings.now()
            var pause = pollPause
            do throws(ServiceError) {
                let outcome = try await request(id, waiting: longestWait)
                guard case .pending = outcome else { return outcome }
                awayUntil = nil
            } catch {
                if case .refused(let refusal) = error, refusal.refusal?.code == .slowDown {
                    pause = .seconds(refusal.retryAfter ?? 10)
                } else {
                    let end = awayUntil ?? began + patience
                    guard error.isPassing, connection.surroundings.now() < end else { throw error }
                    if awayUntil == nil { trouble(error) }
                    (pause, awayUntil) = (.seconds(1), end)
                }
            }
            // A service that is full does not wait: then there is a pause here.
            guard connection.surroundings.now() - began < Int64(longestWait) * 500 else { continue }
            do { try await connection.surroundings.sleep(pause) } catch { throw .cancelled }
        }
    }

    /// A page of what it asked, newest first, without what came of it.
    public func requests(startIndex: Int = 1, count: Int = 100) async throws(ServiceError) -> [RequestRecord] {
        let requests: [RequestMessage] = try await connection.list(
            .get("/v1/requests", query: [("startIndex", String(startIndex)), ("count", String(count))]),
            as: authorizer)
        return requests.map(RequestRecord.init)
    }

    /// Takes a request back: nothing is signed for it any more. Harmless where that was done already.
    ///
    /// - Throws: `refused` with 1725 where it is over, 1724 where it has expired.
    public func cancelRequest(_ id: String) async throws(ServiceError) {
        try await connection.done(.delete("/v1/requests/\(Call.segment(id))"), as: authorizer)
    }
}
