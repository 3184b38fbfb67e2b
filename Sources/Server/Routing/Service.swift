internal import Logging
internal import SigningService
internal import Storage
internal import Synchronization

/// What all requests share.
final class Service: Sendable {
    let engine: SigningEngine
    let settings: ServerSettings
    let logger: Logger
    let metrics: Metrics
    private let knownOrigin: KnownOrigin
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64
    /// Levels of what is not ours, for the metrics.
    let gauges: @Sendable () -> [(name: String, help: String, value: Int)]
    let authenticator: Authenticator
    let running = RunningRequests()
    let recentNames = RecentNames()
    /// Is told the hash of an operator's token that was used.
    let onOperatorLogIn: @Sendable (_ tokenHash: [UInt8]) -> Void
    let verifications: WorkLimit
    /// Batches that are signed: each may be a megabyte, and keeps all cores for some milliseconds.
    let batches = WorkLimit(running: 4, waiting: 64, share: 32)
    /// A search by keyword may read all that a person ever got, or all statements: one at a time, so that a reader of the store is
    /// left for others.
    let searches = WorkLimit(running: 1, waiting: 32, share: 8)
    /// The statements that addresses have verified.
    let verifiedStatements: TokenBuckets<IPAddress>
    let bodies = BodyMemory()
    /// How often relying services ask for what waits.
    let polls = PollPace()
    /// What addresses do without a session, or in vain.
    let attempts: TokenBuckets<IPAddress>
    /// The new devices that addresses bring: a tenth of what else they may do without a session.
    let activations: TokenBuckets<IPAddress>
    /// What the sessions of persons and operators ask.
    let requests: TokenBuckets<String>
    /// What relying services tell and ask persons: withdrawn and made again without end, it would fill their histories.
    let notifications: TokenBuckets<String>
    private let stop = Mutex<ContinuousClock.Instant?>(nil)

    init(
        engine: SigningEngine, settings: ServerSettings, origin: KnownOrigin, logger: Logger, metrics: Metrics,
        now: @escaping @Sendable () -> Int64,
        gauges: @escaping @Sendable () -> [(name: String, help: String, value: Int)],
        onOperatorLogIn: @escaping @Sendable (_ tokenHash: [UInt8]) -> Void
    ) throws {
        self.engine = engine
        self.settings = settings
        knownOrigin = origin
        self.logger = logger
        self.metrics = metrics
        self.now = now
        self.gauges = gauges
        self.onOperatorLogIn = onOperatorLogIn
        authenticator = try Authenticator(engine: engine, origin: origin)
        requests = TokenBuckets(perMinute: settings.requestsPerMinute, burst: settings.requestsPerMinute)
        notifications = TokenBuckets(
            perMinute: settings.notificationsPerMinute, burst: settings.notificationsPerMinute)
        verifications = WorkLimit(running: 2, waiting: 64, share: 32)
        verifiedStatements = TokenBuckets(
            perMinute: settings.verificationsPerMinute, burst: settings.verificationsPerMinute)
        let newDevices = (settings.attemptsPerMinute + 9) / 10
        activations = TokenBuckets(perMinute: newDevices, burst: newDevices)
        attempts = TokenBuckets(perMinute: settings.attemptsPerMinute, burst: settings.attemptsPerMinute)
    }

    /// Scheme, host and port that clients know.
    var origin: String { knownOrigin.text }

    /// Whether a stop had begun when a request came. What came before is answered: its client may have been told to go on.
    func hasStopped(before time: ContinuousClock.Instant) -> Bool {
        stop.withLock { $0.map { $0 <= time } ?? false }
    }

    /// From now on new requests are refused.
    func beginStop() { stop.withLock { $0 = $0 ?? .now } }
}
