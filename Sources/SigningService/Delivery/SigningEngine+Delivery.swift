internal import CountersignVerifier
internal import Signing
internal import Storage

extension SigningEngine {
    /// For how long one that is being tried is left to whoever tries it, in milliseconds.
    private static let lease: Int64 = 120_000
    /// For how long it is known what became of one.
    private static let keptFor: Int64 = 30 * 86_400_000

    /// Makes all that waits due: for the one courier of a store, when it begins. What an earlier one was trying when it was killed goes
    /// out once more.
    package func beginDeliveries() async throws {
        try await write { try OutboxRow.begin(at: $0.now, on: $0.connection) }
    }

    /// Takes what is due for a transport, the longest first. What nobody wants any more ends here.
    package func takeDeliveries(_ transport: Delivery.Transport, limit: Int) async throws -> [Delivery] {
        guard let transport = OutboxRow.Transport(rawValue: transport.rawValue) else { return [] }
        let clock = clock
        let isDue = try await database.read { connection in
            let now = try Transaction(connection, clock: clock).now
            return try !OutboxRow.due(transport, at: now, limit: 1, on: connection).isEmpty
        }
        guard isDue else { return [] }
        return try await write { transaction in
            try OutboxRow.deleteEnded(
                before: transaction.now.saturatingAdd(-Self.keptFor), limit: 100, on: transaction.connection)
            var taken: [Delivery] = []
            for var row in try OutboxRow.due(
                transport, at: transaction.now, limit: limit, on: transaction.connection)
            {
                guard row.expiresAt > transaction.now else {
                    try transaction.end(row, .failed, receipt: row.receipt ?? "nobody took it in time")
                    continue
                }
                row.attempts += 1
                row.nextAt = transaction.now.saturatingAdd(Self.lease)
                try row.update(on: transaction.connection)
                taken.append(try transaction.delivery(row))
            }
            return taken
        }
    }

    /// Writes what became of a try.
    package func end(_ delivery: Delivery, _ outcome: Delivery.Outcome) async throws {
        try await write { transaction in
            guard var row = try OutboxRow.find(delivery.id.text, on: transaction.connection), row.state == .waiting
            else { return }
            switch outcome {
            case .delivered(let receipt): try transaction.end(row, .delivered, receipt: receipt)
            case .failed(let reason): try transaction.end(row, .failed, receipt: reason)
            case .tokenGone(let reason):
                try transaction.end(row, .failed, receipt: reason)
                guard case .device(let device, let token, _) = delivery.address else { return }
                try PushTokenRow.forget(
                    token, of: device.text, at: transaction.now, on: transaction.connection)
            case .later(let reason, let seconds):
                row.receipt = String(reason.prefix(200))
                let wait = max(Self.backoff(row.attempts), min(seconds ?? 0, 3_600) * 1000)
                row.nextAt = transaction.now.saturatingAdd(wait)
                guard row.nextAt < row.expiresAt else { return try transaction.end(row, .failed, receipt: reason) }
                try row.update(on: transaction.connection)
            }
        }
    }

    /// How long to wait after so many tries, in milliseconds: 5 seconds, twice as long each time, an hour at most.
    private static func backoff(_ attempts: Int) -> Int64 {
        min(3_600_000, 5_000 << Int64(min(max(attempts - 1, 0), 20)))
    }
}

extension Transaction {
    fileprivate func end(_ row: OutboxRow, _ state: OutboxRow.State, receipt: String) throws {
        var row = row
        row.state = state
        row.receipt = String(receipt.prefix(200))
        row.endedAt = now
        try row.update(on: connection)
        guard state == .failed else { return }
        try record(
            .deliveryFailed, user: row.userName,
            detail: "\(row.transport.rawValue) \(row.id), \(row.event): \(row.receipt ?? "")")
    }

    fileprivate func delivery(_ row: OutboxRow) throws -> Delivery {
        guard let id = UUIDText(row.id), let event = Delivery.Event(rawValue: row.event),
            let user = UserName(row.userName)
        else { throw StorageError(.corrupt, "the outbox has what nobody can have put there") }
        return Delivery(
            id: id, event: event, user: user, notification: row.notification.flatMap { UUIDText($0) },
            status: row.status, createdAt: row.createdAt, expiresAt: row.expiresAt, attempt: row.attempts,
            address: try address(of: row))
    }

    private func address(of row: OutboxRow) throws -> Delivery.Address {
        guard let device = row.device else {
            let settings = try settings()
            return settings.webhook.map { .webhook(url: $0, mayBePrivate: settings.isPrivateWebhookAllowed) } ?? .gone
        }
        guard let id = UUIDText(device), try DeviceRow.find(device, on: connection)?.state == .active,
            let row = try PushTokenRow.find(device, on: connection), let token = row.token
        else { return .gone }
        return .device(id, token: token, isDevelopment: row.environment == "development")
    }
}
