internal import CountersignJOSE
internal import CountersignKeys
internal import Outbound
internal import Sessions
internal import Signing
internal import Wire

/// Calls to one service: sends them, again where that is safe, and reads problems.
package final class ServiceConnection: Sendable {
    let origin: ServiceOrigin
    let surroundings: Surroundings
    private let options: ServiceOptions

    init(_ url: String, _ options: ServiceOptions, _ surroundings: Surroundings) throws(ServiceError) {
        origin = try ServiceOrigin(url, allowsPlainHTTP: options.allowsPlainHTTP)
        self.options = options
        self.surroundings = surroundings
    }

    /// Sends a call until it is answered, refused for good, or the deadline is over.
    func perform(_ call: Call, as authorizer: (any Authorizer)? = nil) async throws(ServiceError) -> OutboundResponse {
        let end = surroundings.now() + options.deadline.milliseconds
        var credentials: Credentials?
        if let authorizer { credentials = try await authorizer.credentials() }
        var (sent, lost, hasNewNonce, hasNewCredentials) = (0, 0, false, false)
        while true {
            let left = end - surroundings.now()
            guard left > 0 else { throw Self.late(wasSent: lost > 0) }
            var request = try request(call, credentials, authorizer?.nonce, left: left)
            sent += 1
            let outcome = await answer(to: request)
            request.wipeBody()
            let wait: Duration
            switch outcome {
            case .failure(let error):
                if !error.wasNotSent { lost += 1 }
                let final = ServiceError(error, wasSent: lost > 0)
                if error.code == .cancelled || error.code == .requestInvalid { throw final }
                let isSafe =
                    error.wasNotSent || call.isRepeatable && !call.isOnce && (!call.isCostly || lost < 2)
                guard isSafe, sent < options.attempts, error.isPassing else { throw final }
                wait = backoff(sent)
            case .success(let response):
                if let nonce = response.header("DPoP-Nonce") { authorizer?.take(nonce: nonce) }
                let isUnchanged = response.status == 304 && call.tag != nil
                guard !(200...299).contains(response.status), !isUnchanged else { return response }
                let problem = try Self.problem(in: response)
                switch problem.refusal?.code {
                case .nonceNeeded? where !hasNewNonce && authorizer?.nonce != nil:
                    // RFC 9449 section 8: the same request with the nonce that came. It was not looked at before.
                    hasNewNonce = true
                    sent -= 1
                    continue
                case .tokenInvalid? where !hasNewCredentials:
                    hasNewCredentials = true
                    guard let authorizer, let used = credentials,
                        let fresh = try await authorizer.credentials(after: used)
                    else { throw .refused(ServiceRefusal(problem)) }
                    credentials = fresh
                    hasNewNonce = false
                    sent -= 1
                    continue
                case .proofInvalid? where problem.member == "htu": throw await otherName(problem)
                default: break
                }
                guard let pause = pause(problem, response, call, sent), sent < options.attempts else {
                    throw .refused(ServiceRefusal(problem))
                }
                guard surroundings.now() + pause.milliseconds < end else { throw .refused(ServiceRefusal(problem)) }
                wait = pause
            }
            do { try await surroundings.sleep(wait) } catch { throw .cancelled }
        }
    }

    /// The proof of a key for one request (RFC 9449 section 4.2).
    func proof(
        _ method: String, _ url: String, token: String?, nonce: String?, key: PrivateKey
    ) throws(ServiceError) -> String {
        do throws(KeyError) {
            return try DPoPProof.sign(
                method: method, url: url, accessToken: token, nonce: nonce, at: surroundings.now(), with: key)
        } catch {
            throw ServiceError(error)
        }
    }

    /// A nonce of now, for a proof that somebody else will use: the answer to a request that can do nothing.
    func newestNonce(for key: PrivateKey) async throws(ServiceError) -> String? {
        let call = Call.token(TokenRequest(.clientCredentials), key: nil)
        let request = try request(
            call, Credentials(token: nil, key: key), nil, left: options.requestTimeout.milliseconds)
        switch await answer(to: request) {
        case .success(let response): return response.header("DPoP-Nonce")
        case .failure(let error): throw ServiceError(error, wasSent: !error.wasNotSent)
        }
    }

    // MARK: Inner parts

    private static func late(wasSent: Bool) -> ServiceError {
        let text = "the service did not answer in time"
        return wasSent ? .unanswered(text) : .unreachable(text)
    }

    /// The service knows itself by another name than the one that it was asked by, and takes proofs for that only. It is said, not
    /// followed: a server must not choose for whom proofs are made.
    private func otherName(_ problem: Problem) async -> ServiceError {
        let call = Call.get("/.well-known/oauth-authorization-server")
        guard let request = try? request(call, nil, nil, left: options.requestTimeout.milliseconds),
            case .success(let response) = await answer(to: request),
            let metadata = try? MetadataMessage.parse(response.body),
            metadata.tokenEndpoint.hasSuffix("/v1/token"),
            let named = try? ServiceOrigin(String(metadata.tokenEndpoint.dropLast(9)), allowsPlainHTTP: true),
            named != origin
        else { return .refused(ServiceRefusal(problem)) }
        return .local("the service at \(origin.text) calls itself \(named.text): use that address, if you trust it")
    }

    private func request(
        _ call: Call, _ credentials: Credentials?, _ nonce: String?, left: Int64
    ) throws(ServiceError) -> OutboundRequest {
        let url = origin.text + call.path
        var headers = [("Accept", call.accept + ", application/problem+json"), ("User-Agent", "countersign")]
        if let body = call.body { headers.append(("Content-Type", body.mediaType)) }
        if let key = call.key { headers.append(("Idempotency-Key", key)) }
        if call.wait > 0 { headers.append(("Prefer", "wait=\(min(Int64(call.wait), longestWait))")) }
        if let tag = call.tag { headers.append(("If-None-Match", tag)) }
        if let authorization = credentials?.authorization { headers.append(("Authorization", authorization)) }
        if let key = credentials?.key {
            // Each sending has a proof of its own: a server takes each once.
            let proof = try proof(call.method, url, token: credentials?.token, nonce: nonce, key: key)
            headers.append(("DPoP", proof))
        }
        return OutboundRequest(
            call.method, url + call.query, headers: headers, body: call.body?.bytes,
            timeout: min(options.requestTimeout, .milliseconds(left)), maxBytes: call.maxBytes)
    }

    /// How many seconds a service may wait for something new before it answers: less than one request may take.
    private var longestWait: Int64 { max(1, options.requestTimeout.milliseconds * 2 / 3000) }

    private func answer(to request: OutboundRequest) async -> Result<OutboundResponse, OutboundError> {
        do throws(OutboundError) {
            return .success(try await surroundings.exchange.send(request))
        } catch {
            return .failure(error)
        }
    }

    private static func problem(in response: OutboundResponse) throws(ServiceError) -> Problem {
        let isProblem = response.header("Content-Type")?.utf8.starts(with: Problem.mediaType.utf8) == true
        if isProblem, let problem = try? Problem.parse(response.body), problem.status == response.status {
            return problem
        }
        // A proxy before the service, where it is down.
        if [429, 502, 503, 504].contains(response.status) {
            return Problem(Refusal(response.status == 429 ? .tooManyRequests : .serverBusy))
        }
        throw .protocolViolation("no service of this kind answers there: HTTP status \(response.status)")
    }

    /// How long to wait before a refused call is sent again; nil where it is refused for good.
    private func pause(_ problem: Problem, _ response: OutboundResponse, _ call: Call, _ sent: Int) -> Duration? {
        let isRunning = problem.refusal?.code == .idempotencyRunning && (sent > 1 || call.isOnce)
        guard problem.status == 503 || problem.status == 429 || isRunning else { return nil }
        // These are said before anything is done, so whatever was asked can be asked again; 502 and 504 of a proxy are not.
        guard call.isRepeatable || [429, 503].contains(response.status) else { return nil }
        let asked = response.header("Retry-After").flatMap { Int64($0) } ?? problem.retryAfter.map { Int64($0) }
        guard let asked, asked > 0 else { return backoff(sent) }
        // Not all at once: a tenth of it, by chance, on top.
        return .milliseconds(Int64(Double(min(asked, 86_400) * 1000) * (1 + surroundings.chance() / 10)))
    }

    /// 0.1 s, 0.2 s, 0.4 s, ... up to 5 s, of which the half is by chance.
    private func backoff(_ sent: Int) -> Duration {
        let whole = min(5_000.0, 100.0 * Double(1 << min(sent - 1, 10)))
        return .milliseconds(Int64(whole / 2 + whole / 2 * surroundings.chance()))
    }
}

extension OutboundRequest {
    /// Wipes what was sent, as far as it is ours.
    fileprivate mutating func wipeBody() {
        guard var bytes = body else { return }
        body = nil
        wipe(&bytes)
    }
}

extension OutboundError {
    /// Whether it may be over the next time.
    fileprivate var isPassing: Bool {
        switch code {
        case .unreachable, .connectionLost, .timedOut: true
        case .untrusted, .protocolViolation, .tooLarge, .cancelled, .refusedAddress, .requestInvalid: false
        }
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
