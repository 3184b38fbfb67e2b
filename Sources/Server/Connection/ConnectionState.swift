internal import NIOCore

/// What a connection (or a stream of HTTP/2) is doing, and until when it may. A value without a socket: the handler
/// tells it what happened, and does what it answers.
struct ConnectionState {
    /// What is read next.
    enum Inbound: Equatable {
        /// A header; some of its bytes may have come already.
        case head(hasBegun: Bool)
        /// The body of the newest request.
        case body
        /// Nothing more: what still comes is thrown away.
        case nothing
    }

    /// What is to be done when time is up.
    enum Expiry: Equatable {
        case nothing
        /// Close without a word: nobody asked anything.
        case close
        /// Refuse the request that did not arrive in time, then close.
        case refuse
    }

    private(set) var inbound = Inbound.head(hasBegun: false)
    /// Requests whose answers are not written yet.
    private(set) var outstanding = 0
    /// Whether the oldest outstanding answer has begun.
    private(set) var hasResponseBegun = false
    /// Whether the connection ends with the answer that is being written.
    private(set) var endsWithResponse = false
    private var deadline: NIODeadline?
    private var writeDeadline: NIODeadline?
    private let limits: ConnectionLimits

    init(limits: ConnectionLimits, at now: NIODeadline) {
        self.limits = limits
        deadline = now + .seconds(Int64(limits.headSeconds))
    }

    /// Bytes came that did not complete anything.
    mutating func bytesRead() {
        if case .head = inbound { inbound = .head(hasBegun: true) }
    }

    mutating func headRead(at now: NIODeadline) {
        inbound = .body
        outstanding += 1
        deadline = now + .seconds(Int64(limits.bodySeconds))
    }

    mutating func endRead() {
        guard inbound == .body else { return }
        inbound = .head(hasBegun: false)
        // The answer is ours to give: no deadline until it is given.
        deadline = nil
    }

    mutating func responseBegun(closes: Bool) {
        hasResponseBegun = true
        endsWithResponse = closes
    }

    /// - Returns: whether the connection is to be ended now.
    mutating func responseEnded(at now: NIODeadline) -> Bool {
        hasResponseBegun = false
        outstanding = max(0, outstanding - 1)
        if outstanding == 0, inbound != .body { deadline = now + .seconds(Int64(limits.idleSeconds)) }
        return endsWithResponse
    }

    /// Nothing more is read; what comes for a while is thrown away.
    mutating func linger(at now: NIODeadline) {
        inbound = .nothing
        deadline = now + .seconds(Int64(limits.lingerSeconds))
    }

    /// The peer takes (or no longer takes) what is written.
    mutating func writabilityChanged(_ isWritable: Bool, at now: NIODeadline) {
        writeDeadline = isWritable ? nil : now + .seconds(Int64(limits.writeSeconds))
    }

    /// What is to be done at this time.
    func expiry(at now: NIODeadline) -> Expiry {
        if let writeDeadline, writeDeadline <= now { return .close }
        guard let deadline, deadline <= now else { return .nothing }
        switch inbound {
        case .nothing: return .close
        case .head(let hasBegun): return hasBegun && outstanding == 0 ? .refuse : .close
        case .body: return hasResponseBegun || outstanding != 1 ? .close : .refuse
        }
    }

    /// How often the time is looked at.
    var tick: TimeAmount {
        let shortest = [limits.headSeconds, limits.idleSeconds, limits.bodySeconds, limits.writeSeconds].min() ?? 1
        return .milliseconds(Int64(max(1, min(shortest, 4))) * 250)
    }
}
