package import NIOCore

/// What a connection (or a stream of HTTP/2) is doing, and until when it may. A value without a socket: the handler
/// tells it what happened, and does what it answers.
package struct ConnectionState: Sendable {
    /// What is read next.
    package enum Inbound: Sendable, Equatable {
        /// A header; some of its bytes may have come already.
        case head(hasBegun: Bool)
        /// The body of the newest request.
        case body
        /// Nothing more: what still comes is thrown away.
        case nothing
    }

    /// What is to be done when time is up.
    package enum Expiry: Sendable, Equatable {
        case nothing
        /// Close without a word: nobody asked anything.
        case close
        /// Refuse the request that did not arrive in time, then close.
        case refuse
    }

    /// What is read next.
    package private(set) var inbound = Inbound.head(hasBegun: false)
    /// Requests whose answers are not written yet.
    package private(set) var outstanding = 0
    /// Whether the oldest outstanding answer has begun.
    package private(set) var hasResponseBegun = false
    /// Whether the connection ends with the answer that is being written.
    package private(set) var endsWithResponse = false
    /// Whether all is written and taken, and only what still comes is thrown away.
    package private(set) var isLingering = false
    private var deadline: NIODeadline?
    private var writeDeadline: NIODeadline?
    private let limits: ConnectionLimits

    /// A connection that was just made.
    package init(limits: ConnectionLimits, at now: NIODeadline) {
        self.limits = limits
        deadline = now + .seconds(Int64(limits.headSeconds))
    }

    /// Bytes came that did not complete anything.
    package mutating func bytesRead() {
        if case .head = inbound { inbound = .head(hasBegun: true) }
    }

    /// A request's header is whole.
    package mutating func headRead(at now: NIODeadline) {
        inbound = .body
        outstanding += 1
        deadline = now + .seconds(Int64(limits.bodySeconds))
    }

    /// A request's body is whole.
    package mutating func endRead() {
        guard inbound == .body else { return }
        inbound = .head(hasBegun: false)
        // The answer is ours to give: no deadline until it is given.
        deadline = nil
    }

    /// The oldest outstanding answer begins.
    package mutating func responseBegun(closes: Bool) {
        hasResponseBegun = true
        endsWithResponse = closes
    }

    /// The oldest outstanding answer is written.
    ///
    /// - Returns: whether the connection is to be ended now.
    package mutating func responseEnded(at now: NIODeadline) -> Bool {
        hasResponseBegun = false
        outstanding = max(0, outstanding - 1)
        if outstanding == 0, inbound != .body { deadline = now + .seconds(Int64(limits.idleSeconds)) }
        return endsWithResponse
    }

    /// The connection ends with the newest answer, where that has begun; one that has not says so itself in its header.
    package mutating func endWithResponse() {
        if hasResponseBegun, outstanding == 1 { endsWithResponse = true }
    }

    /// The last answer is written: nothing more is read, and the peer has so long to take what is left of it.
    package mutating func end(at now: NIODeadline) {
        inbound = .nothing
        deadline = now + .seconds(Int64(limits.writeSeconds))
    }

    /// The peer has taken the last answer; what comes for a while is thrown away.
    package mutating func linger(at now: NIODeadline) {
        (inbound, isLingering) = (.nothing, true)
        deadline = now + .seconds(Int64(limits.lingerSeconds))
    }

    /// The peer takes (or no longer takes) what is written: a portion of an answer at a time, so that a steady reader has all the time it
    /// needs, and one that reads a byte now and then has not (attack A4).
    package mutating func writabilityChanged(_ isWritable: Bool, at now: NIODeadline) {
        writeDeadline = isWritable ? nil : now + .seconds(Int64(limits.writeSeconds))
    }

    /// What is to be done at this time.
    package func expiry(at now: NIODeadline) -> Expiry {
        if let writeDeadline, writeDeadline <= now { return .close }
        guard let deadline, deadline <= now else { return .nothing }
        switch inbound {
        case .nothing: return .close
        case .head(let hasBegun): return hasBegun && outstanding == 0 ? .refuse : .close
        case .body: return hasResponseBegun || outstanding != 1 ? .close : .refuse
        }
    }

    /// How often the time is looked at.
    package var tick: TimeAmount {
        let shortest = [limits.headSeconds, limits.idleSeconds, limits.bodySeconds, limits.writeSeconds].min() ?? 1
        return .milliseconds(Int64(max(1, min(shortest, 4))) * 250)
    }
}
