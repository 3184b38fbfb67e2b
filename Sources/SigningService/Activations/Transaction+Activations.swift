internal import CountersignVerifier
internal import Devices
internal import Notifications
internal import Signing
internal import Storage

extension Transaction {
    /// How many questions about new devices may wait for one user, and how many they may be asked in an hour (attack D6). Counted by
    /// the name, whether or not there is such a user.
    private static let (openLimit, hourLimit) = (3, 10)
    private static let hour: Int64 = 3_600_000

    /// The activation with this id and key.
    ///
    /// - Throws: `activationUnknown`.
    func activation(_ id: UUIDText, of thumbprint: String) throws -> (ActivationRequestRow, Activation) {
        guard let row = try ActivationRequestRow.find(id.text, on: connection),
            row.thumbprint.utf8.elementsEqual(thumbprint.utf8)
        else { throw Refusal(.activationUnknown) }
        return (row, try row.activation())
    }

    /// The same as the new device may know it.
    func activationRecord(_ id: UUIDText, of thumbprint: String) throws -> ActivationRecord {
        let (row, activation) = try activation(id, of: thumbprint)
        let status = activation.state(at: now).status
        return ActivationRecord(
            id: id, status: status, methods: try settings().activation.methods,
            matchCode: status == .waiting ? row.matchCode : nil,
            expiresIn: status.isFinal ? 0 : (activation.expiresAt - now + 999) / 1000)
    }

    /// Lets an event happen to an activation, and does what follows from it.
    ///
    /// - Returns: nil where nothing has changed.
    @discardableResult
    func handle(_ event: Activation.Event, _ row: ActivationRequestRow) throws -> Activation.Effect? {
        var activation = try row.activation()
        guard let effect = try activation.handle(event, at: now) else { return nil }
        var row = row
        row.take(activation)
        if case .fallBack = event { row.askedAt = row.askedAt ?? now }
        try row.update(on: connection)
        changed.add(.activation(activation.id))
        if effect == .withdraw { try withdrawQuestion(of: row) }
        return effect
    }

    /// Asks the user's devices that may approve, where there are any.
    func verifyActivation(
        _ id: UUIDText, of thumbprint: String, _ code: MatchCode, _ notification: UUIDText
    ) throws {
        var (row, activation) = try activation(id, of: thumbprint)
        let settings = try settings()
        guard settings.activation.methods.contains(.verify) else { throw Refusal(.activationMethodUnavailable) }
        let end = now.saturatingAdd(settings.activation.life)
        guard try activation.handle(.verify(until: end), at: now) == .ask else { return }
        try checkAsking(row.userName, isQuestion: true)
        row.take(activation)
        row.askedAt = now
        row.matchCode = code.text
        let user = try row.userName.flatMap { UserName($0) }.flatMap { try UserRow.find($0.text, on: connection) }
        let devices = try approvers(of: row)
        if let user, !devices.isEmpty, !user.isLocked,
            try ActivationBlockRow.find(user.name, on: connection) == nil
        {
            try ask(row, devices, code, notification)
            row.notification = notification.text
        }
        try row.update(on: connection)
        guard let user else { return }
        let detail = row.notification.map { "notification \($0)" } ?? "nobody was asked"
        try record(.activationAsked, user: user.name, detail: "activation \(row.id), \(detail)")
    }

    /// Makes sure that a name was not asked for too often.
    ///
    /// - Parameter isQuestion: whether the user's devices are to be asked, and not only their operator.
    /// - Throws: `tooManyOpen`, `tooManyRequests`.
    func checkAsking(_ name: String?, isQuestion: Bool) throws {
        guard let name else { return }
        let asked = try ActivationRequestRow.asked(
            of: name, since: now.saturatingAdd(1 - Self.hour), on: connection)
        if isQuestion, asked.count(where: { $0.state == .waiting && now < $0.expiresAt }) >= Self.openLimit {
            throw Refusal(.tooManyOpen, .limit(Self.openLimit))
        }
        guard asked.count >= Self.hourLimit, let first = asked.dropFirst(Self.hourLimit - 1).first?.askedAt else {
            return
        }
        throw Refusal(.tooManyRequests, .retryAfter(seconds: Int((first + Self.hour - now + 999) / 1000)))
    }

    /// The user's devices that may approve (attacks D1 and D2).
    private func approvers(of row: ActivationRequestRow) throws -> [DeviceRow] {
        let probation = try settings().probation
        return try DeviceRow.list(userName: row.userName ?? "", on: connection).filter { device in
            let approver = try Approver(device)
            do throws(Refusal) {
                try approver.check(against: row.thumbprint, by: probation, at: now)
                return true
            } catch {
                return false
            }
        }
    }

    /// Forgets activations an hour after their end: so long they count for the name that they asked for.
    func tidyActivations() throws {
        try ActivationRequestRow.delete(endedBefore: now.saturatingAdd(-Self.hour), on: connection)
    }

    /// The new device came in with a code: what it asked for otherwise is over.
    func endActivations(of thumbprint: String, enrolled device: UUIDText) throws {
        for row in try ActivationRequestRow.open(thumbprint: thumbprint, on: connection) {
            try handle(.enrol(device), row)
        }
    }
}
