internal import Outbound
internal import Signing
internal import Wire

extension Account {
    /// Tells or asks a person something, as the relying service or the operator whose profile this is.
    ///
    /// - Throws: `refused` with 1710 for what cannot be a notification, 1721 where too much waits for that person, 102 where there is no
    ///   such person, 1827 with a person's profile.
    public func notify(_ new: NewNotification) async throws(ServiceError) -> NotificationRecord {
        try await connection.notify(new, as: authorizer)
    }

    /// Gives what waits for the account's owner, the oldest first, and then each new notification as it comes, once each.
    ///
    /// It ends where no more is wanted, where the task is cancelled, or where the service refuses for good, as when the session has
    /// ended. A service that is away is asked again until it is back.
    ///
    /// - Parameters:
    ///   - interval: How long after one look the next one comes, where the service does not let wait.
    ///   - trouble: is told why the service cannot be asked now, once each time that it goes away.
    ///   - each: is given each notification; false: no more is wanted.
    public func watchNotifications(
        every interval: Duration = .seconds(2), trouble: @Sendable (ServiceError) -> Void = { _ in },
        each: @Sendable (NotificationRecord) -> Bool
    ) async throws(ServiceError) {
        var (known, isAway): (Set<String>, Bool) = ([], false)
        var tag: String?
        while true {
            var hasWaited = false
            do throws(ServiceError) {
                let call = Call.get("/v1/notifications", wait: 20, tag: tag)
                let response = try await connection.perform(call, as: authorizer)
                (isAway, hasWaited) = (false, response.header("Preference-Applied") != nil)
                if response.status != 304 {
                    let waiting = try Self.list(response.body)
                    for record in waiting.reversed() where !known.contains(record.id) {
                        guard each(record) else { return }
                    }
                    known = Set(waiting.map(\.id))
                    tag = response.header("ETag")
                }
            } catch {
                guard error.isPassing else { throw error }
                if !isAway { trouble(error) }
                isAway = true
            }
            if hasWaited, tag != nil { continue }
            do { try await connection.surroundings.sleep(interval) } catch { throw .cancelled }
        }
    }

    private static func list(_ body: [UInt8]) throws(ServiceError) -> [NotificationRecord] {
        do throws(Refusal) {
            return try ListMessage<NotificationMessage>.parse(body).elements.map(NotificationRecord.init)
        } catch {
            throw .protocolViolation("the service's answer cannot be read: \(error.text)")
        }
    }
}

extension ServiceError {
    /// Whether the same question may well be answered later.
    var isPassing: Bool {
        switch self {
        case .unreachable, .unanswered: true
        case .refused(let refusal): refusal.status == 429 || refusal.status >= 500
        case .protocolViolation, .local, .wrongPasscode, .cancelled: false
        }
    }
}
