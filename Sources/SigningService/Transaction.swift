internal import CountersignKeys
internal import CountersignVerifier
internal import Signing
internal import Storage

/// One write transaction of the engine: the connection, and a time that never runs back.
struct Transaction {
    let connection: any SQLConnection
    /// Milliseconds since 1970: the clock's, or the newest recorded time where the clock is a little behind it.
    let now: Int64
    /// Whether the clock is behind.
    private let isClamped: Bool
    private let loaded: Result<Settings, any Error>
    /// What is changed, for those who wait for it.
    let changed = TopicList()

    /// How far the clock may be behind the newest recorded time, in milliseconds.
    static let clampLimit: Int64 = 60_000

    /// - Throws: `clockBehind` where the clock is further behind than that.
    init(_ connection: any SQLConnection, clock: EngineClock) throws {
        self.connection = connection
        let time = clock.now()
        let newest = try AuditRow.newestRecordedTime(on: connection) ?? time
        let (behind, overflow) = newest.subtractingReportingOverflow(time)
        guard !overflow, behind <= Self.clampLimit else {
            throw Refusal(.clockBehind, .behind(seconds: overflow ? .max : behind / 1000))
        }
        now = max(time, newest)
        isClamped = time < newest
        loaded = Result { try connection.steady { try Settings.load(on: connection) } }
    }

    /// The settings of the store.
    ///
    /// - Throws: `StorageError.corrupt` where one of them makes no sense. A transaction that needs none goes on.
    func settings() throws -> Settings { try loaded.get() }

    /// Whether a statement that was signed before this transaction began may say that it was signed at `time`: not later than now, not
    /// long ago, and where the clock is behind, not before what is recorded (R5).
    func mayDate(_ time: Int64) -> Bool {
        time <= now && time >= (isClamped ? now : now.saturatingAdd(-Self.clampLimit))
    }

    /// Writes what happened, and tells those who watch the user of it.
    ///
    /// - Parameter ceremony: the run that it belongs to; its user, level, type and the digest and length of its
    ///   payload are recorded.
    func record(
        _ event: AuditEvent, user: String? = nil, ceremony: CeremonyRow? = nil, jti: String? = nil,
        method: String? = nil, result: Refusal.Code? = nil, detail: String? = nil
    ) throws {
        var row = AuditRow(
            at: now, event: event.rawValue, userName: user, jti: jti, method: method, result: result?.rawValue ?? 0,
            detail: detail)
        if let ceremony { row.describe(ceremony) }
        if let name = user.flatMap({ UserName($0) }) { changed.add(.person(name)) }
        try row.append(on: connection)
    }
}

extension AuditRow {
    /// Tells of a run: its user, level and type, and the digest and length of its payload.
    mutating func describe(_ ceremony: CeremonyRow) {
        userName = ceremony.userName
        self.ceremony = ceremony.id
        digest = Hex.text(of: SHA256.hash(ceremony.payload.utf8Span.span))
        length = ceremony.payload.count
        level = ceremony.level
        type = ceremony.type
    }

    /// The same of a run that has no row.
    mutating func describe(_ run: Run) {
        let request = run.request
        userName = request.user.text
        ceremony = run.id.text
        digest = Hex.text(of: SHA256.hash(request.payload.text.utf8Span.span))
        length = request.payload.length
        level = request.level.rawValue
        type = request.type.rawValue
    }
}

/// What the audit records. One row for each outcome (S40, S41).
package enum AuditEvent: String, Sendable, CaseIterable {
    /// The store was made.
    case storeMade = "store-made"
    /// The store was restored from a backup.
    case storeRestored = "store-restored"
    /// A backup was made.
    case backupMade = "backup-made"
    /// A setting was changed.
    case settingChanged = "setting-changed"
    /// A user was added.
    case userAdded = "user-added"
    /// A user's password was set.
    case passwordSet = "password-set"
    /// The operator locked a user.
    case userLocked = "user-locked"
    /// The operator unlocked a user, and lifted their block.
    case userUnlocked = "user-unlocked"
    /// A key was made.
    case keyMade = "key-made"
    /// A key began to sign.
    case keyActivated = "key-activated"
    /// A key ended to sign.
    case keyRetired = "key-retired"
    /// A key was revoked.
    case keyRevoked = "key-revoked"
    /// A private key left the store.
    case keyExported = "key-exported"
    /// The root key's private half was taken out of the store.
    case rootKeyForgotten = "root-key-forgotten"
    /// A key history was signed.
    case historySigned = "history-signed"
    /// A text was signed.
    case signed
    /// An answer was wrong.
    case answerWrong = "answer-wrong"
    /// An answer was wrong, and no attempt is left.
    case attemptsExhausted = "attempts-exhausted"
    /// An answer was right, but came too late: after a reset, another answer, the end of its time.
    case answerRefused = "answer-refused"
    /// A ceremony was reset.
    case ceremonyReset = "ceremony-reset"
    /// A ceremony expired.
    case ceremonyExpired = "ceremony-expired"
    /// A token was made with which an operator begins.
    case operatorTokenMade = "operator-token-made"
    /// An operator logged in with the token.
    case operatorLoggedIn = "operator-logged-in"
    /// Somebody came with a token that is none, or no longer one.
    case operatorRefused = "operator-refused"
    /// An activation code was made for a user.
    case activationCodeMade = "activation-code-made"
    /// A device was enrolled with an activation code.
    case deviceEnrolled = "device-enrolled"
    /// A person called one of their devices by another name.
    case deviceRenamed = "device-renamed"
    /// A device was deleted, and its sessions with it.
    case deviceDeleted = "device-deleted"
    /// The operator blocked a device, and its sessions ended.
    case deviceBlocked = "device-blocked"
    /// The operator unblocked a device.
    case deviceUnblocked = "device-unblocked"
    /// A new device asked to be let in, and the user's others with it.
    case activationAsked = "activation-asked"
    /// A device of the user approved the new one.
    case activationApproved = "activation-approved"
    /// A device of the user rejected the new one.
    case activationRejected = "activation-rejected"
    /// The user says that the new device is not theirs.
    case activationDisowned = "activation-disowned"
    /// The user lets in no new device any more, until the operator lifts it.
    case activationsBlocked = "activations-blocked"
    /// A new device goes on with a code, which somebody must give its user.
    case activationCodeWanted = "activation-code-wanted"
    /// A new device asked to be let in by a name that is nobody's.
    case activationRefused = "activation-refused"
    /// A device was enrolled for push challenges, or got another push token.
    case pushEnrolled = "push-enrolled"
    /// A device's enrolment for push challenges was ended.
    case pushEnded = "push-ended"
    /// Somebody came with an activation code that is none, or another user's.
    case enrolmentRefused = "enrolment-refused"
    /// A person logged in.
    case loggedIn = "logged-in"
    /// A password was wrong at the door.
    case loginWrong = "login-wrong"
    /// A password was wrong at the door, and no attempt is left.
    case loginExhausted = "login-exhausted"
    /// A password was right at the door, but too late: the user was locked meanwhile, or has another one.
    case loginRefused = "login-refused"
    /// A session was ended.
    case sessionEnded = "session-ended"
    /// A refresh token came a second time, so its session was ended (RFC 9700 section 4.14).
    case sessionReuse = "session-reuse"
    /// A user's password was cleared.
    case passwordCleared = "password-cleared"
    /// Somebody was asked or told something.
    case notificationMade = "notification-made"
    /// A notification was answered.
    case notificationAnswered = "notification-answered"
    /// Nobody answered a notification in time.
    case notificationExpired = "notification-expired"
    /// Whoever asked took a notification back.
    case notificationWithdrawn = "notification-withdrawn"
    /// A notification was closed without an answer.
    case notificationDismissed = "notification-dismissed"
    /// A wrong match code was brought.
    case matchCodeWrong = "match-code-wrong"
    /// Something never reached whom it was for.
    case deliveryFailed = "delivery-failed"
    /// A relying service asked persons to sign.
    case requestMade = "request-made"
    /// As many signed as were needed.
    case requestDone = "request-done"
    /// Too many declined.
    case requestDeclined = "request-declined"
    /// Too few signed in time.
    case requestExpired = "request-expired"
    /// Whoever asked took a request back.
    case requestCancelled = "request-cancelled"
    /// A group was made, or has other members.
    case groupChanged = "group-changed"
    /// A group was removed.
    case groupDeleted = "group-deleted"
    /// A relying service was added.
    case clientAdded = "client-added"
    /// The operator locked a relying service.
    case clientLocked = "client-locked"
    /// The operator unlocked a relying service.
    case clientUnlocked = "client-unlocked"
    /// A relying service came with a credential that is not its own.
    case clientRefused = "client-refused"
}
