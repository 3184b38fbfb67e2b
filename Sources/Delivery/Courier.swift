package import Logging
package import SigningService

/// Carries what is in the outbox, until it is cancelled or the service stops. One for each store: what an earlier one left it takes up.
package struct Courier: Sendable {
    /// How many of one transport are tried at once.
    private static let together = 16
    /// After how many milliseconds it looks again although nobody told it: something's time has come, or another process has put it there.
    private static let pause: Int64 = 1_000

    private let engine: SigningEngine
    private let transports: [any Transport]
    private let logger: Logger

    /// A courier.
    package init(engine: SigningEngine, transports: [any Transport], logger: Logger) {
        self.engine = engine
        self.transports = transports
        self.logger = logger
    }

    /// Carries, as long as the task lives. A store that cannot be read now is read again later.
    package func run() async {
        do { try await engine.beginDeliveries() } catch { log(error) }
        await withDiscardingTaskGroup { group in
            for transport in transports { group.addTask { await run(transport) } }
        }
    }

    /// One transport does not wait for another that is slow.
    private func run(_ transport: any Transport) async {
        let limits = ChangeHub.Limits(inAll: .max, perTopic: .max)
        guard let watch = try? engine.changes.watch(.outbox, limits) else { return }
        while !Task.isCancelled {
            do {
                while try await carry(transport) {}
            } catch {
                log(error)
            }
            guard await watch.next(within: Self.pause) != .ended else { return }
        }
    }

    /// Tries what is due.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    package func carry(_ transport: any Transport) async throws -> Bool {
        let due = try await engine.takeDeliveries(transport.name, limit: Self.together)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for delivery in due {
                group.addTask {
                    let outcome = await transport.send(delivery)
                    // Nobody knows whether it arrived: the next courier tries again.
                    guard !Task.isCancelled else { return }
                    try await engine.end(delivery, outcome)
                }
            }
            try await group.waitForAll()
        }
        return !due.isEmpty && !Task.isCancelled
    }

    private func log(_ error: any Error) {
        guard !(error is CancellationError) else { return }
        logger.error("delivery failed", metadata: ["reason": "\(type(of: error))"])
    }
}
