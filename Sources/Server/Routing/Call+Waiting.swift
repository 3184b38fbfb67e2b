internal import HTTPTypes
internal import Signing
internal import SigningService

extension Call {
    /// Reads something, and where the client says `Prefer: wait=N`, waits until it is worth an answer. The route says
    /// `takesWait`.
    ///
    /// Whoever waits is not counted among the requests that are worked on. Where too many wait already, nobody is refused: the answer
    /// comes at once, as from a service that knows no such preference. A session that ends meanwhile learns nothing more, and for a client
    /// that has gone nobody waits.
    ///
    /// - Parameters:
    ///   - topic: what changes when there may be something new.
    ///   - isWorthIt: whether the value need not wait for another one.
    ///   - due: when there is another one by the clock alone, in milliseconds since 1970; nil: never.
    ///   - read: read again after each change.
    /// - Returns: the value as it is at the end, and the fields that say that the preference was kept to.
    func waits<Value>(
        for topic: Topic, until isWorthIt: (Value) throws -> Bool, orAt due: (Value) -> Int64? = { _ in nil },
        _ read: () async throws -> Value
    ) async throws -> (value: Value, fields: [HTTPField]) {
        guard let wait = Preference.wait(fields), wait > 0,
            let watch = try? service.engine.changes.watch(topic, service.settings.watches)
        else { return (try await read(), []) }
        channel.whenPeerGoes { [weak watch] in watch?.end() }
        let end = service.now() + wait
        while true {
            let value = try await read()
            let now = service.now()
            let left = min(wait, end - now, due(value).map { max(1, $0 - now) } ?? wait)
            guard try !isWorthIt(value), left > 0 else { return (value, [Preference.applied]) }
            service.metrics.inFlight.leave()
            let wake = await watch.next(within: left)
            _ = service.metrics.inFlight.enter()
            if case .session(let session) = principal { try await service.engine.checkAlive(session) }
            // What another process did is not told: it is looked at once more.
            guard wake == .changed else { return (try await read(), [Preference.applied]) }
        }
    }
}
