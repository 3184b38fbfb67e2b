internal import HTTPTypes
internal import Signing
internal import SigningService

extension Call {
    /// An answer that tells what happens, as it happens. It holds a place among those who watch until it ends.
    ///
    /// - Parameter topic: what changes when there may be something to tell.
    /// - Throws: `tooManyRequests` where too many watch the same, `serverBusy` where too many watch at all.
    func events(of topic: Topic, _ source: any EventSource) throws(Refusal) -> Reply {
        let watch: ChangeWatch
        do throws(ChangeHub.Full) {
            watch = try service.engine.changes.watch(topic, service.settings.watches)
        } catch {
            switch error {
            case .topic: throw Refusal(.tooManyRequests, .retryAfter(seconds: 60))
            case .inAll: throw Refusal(.serverBusy, .retryAfter(seconds: 60))
            }
        }
        let stream = EventStream(source, watch, now: service.now)
        return Reply(
            200, .pieces(type: EventStream.mediaType, next: { try await stream.next() }),
            // Proxies that collect answers would never pass this one on.
            [HTTPField(name: .accelBuffering, value: "no")],
            // Weak: a connection outlives a stream that has come to its end.
            whenClosed: { [weak stream] in stream?.end() })
    }
}

extension HTTPField.Name {
    static let lastEventID = own("Last-Event-ID")
    fileprivate static let accelBuffering = own("X-Accel-Buffering")
}
