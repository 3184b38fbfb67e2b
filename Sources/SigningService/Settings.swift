internal import CountersignVerifier
package import Devices
package import Notifications
package import Passwords
package import Signing
internal import Storage

/// The settings of a store, read anew in each transaction: nothing of them is kept.
package struct Settings: Sendable {
    /// Whether texts may be signed without authentication (S06, O10).
    package var isLevelZeroAllowed = false
    /// When wrong answers block, and for how long.
    package var attempts = AttemptRules.standard
    /// What a password hash costs.
    package var passwords = PasswordParameters.standard
    /// How long a key history may be relied on, in milliseconds.
    package var historyLife: Int64 = 90 * 86_400_000
    /// How long an access token of a person or an operator lives, in milliseconds.
    package var accessLife: Int64 = 300_000
    /// How long a session lives without being refreshed, in milliseconds.
    package var refreshLife: Int64 = 30 * 86_400_000
    /// How long ago a person may have logged in who starts a signing, in milliseconds (RFC 9470).
    package var stepUpLife: Int64 = 12 * 3_600_000
    /// How long an activation code or an operator's token lives, in milliseconds.
    package var activationLife: Int64 = 24 * 3_600_000

    /// After how many changes of their devices a user must wait.
    package var coolingOff = CoolingOffRules.standard
    /// For how long a newly activated device may neither sign nor approve.
    package var probation = Probation.none
    /// How new devices are let in.
    package var activation = ActivationRules.standard
    /// What approvers do with match codes.
    package var matchMode = Match.Mode.required
    /// How many signing requests may wait for one person.
    package var openRequests = 5

    /// Where events go: an https URL.
    package var webhook: String?
    /// Whether the webhook may be on this machine or in a private network.
    package var isPrivateWebhookAllowed = false

    /// The settings where none was set.
    package init() {}

    /// Changes the rules of attempts; false where they then made no sense.
    fileprivate mutating func setAttempts(blockMinutes: [Int]? = nil, operatorAfter: Int? = nil) -> Bool {
        let rules = AttemptRules(
            attempts: attempts.attempts, blockMinutes: blockMinutes ?? attempts.blockMinutes,
            operatorAfter: operatorAfter ?? attempts.operatorAfter)
        guard let rules else { return false }
        attempts = rules
        return true
    }

    /// The settings of a store.
    ///
    /// - Parameter exception: one that is left at its standard.
    static func load(except exception: SettingName? = nil, on connection: any SQLConnection) throws -> Settings {
        var settings = Settings()
        for row in try SettingRow.list(on: connection) where row.name != exception?.rawValue {
            guard let name = SettingName(rawValue: row.name) else { continue }
            guard name.apply(row.value, to: &settings) else {
                throw StorageError(.corrupt, "the setting \(row.name) has a value that is none")
            }
        }
        return settings
    }
}

/// The name of a setting, as `countersign config` has it.
package enum SettingName: String, Sendable, CaseIterable {
    /// Whether level 0 may be used.
    case allowLevelZero = "allow-level-0"
    /// Minutes of the first, second and every further block.
    case blockMinutes = "block-minutes"
    /// After how many wrong answers without a right one the operator must unlock.
    case operatorAfter = "operator-after"
    /// What an Argon2id hash costs.
    case passwordHash = "password-hash"
    /// How many days a key history may be relied on.
    case historyDays = "history-days"
    /// How many seconds an access token lives.
    case accessTokenSeconds = "access-token-seconds"
    /// After how many days without a refresh a session ends.
    case refreshTokenDays = "refresh-token-days"
    /// After how many hours a person logs in anew before they sign.
    case stepUpHours = "step-up-hours"
    /// How many hours an activation code lives.
    case activationHours = "activation-hours"
    /// How many changes of devices begin a cooling-off.
    case coolingChanges = "cooling-changes"
    /// Within how many seconds.
    case coolingWindowSeconds = "cooling-window-seconds"
    /// How many seconds it lasts.
    case coolingSeconds = "cooling-seconds"
    /// For how many hours a new device may neither sign nor approve.
    case probationHours = "probation-hours"
    /// Where events go.
    case webhook
    /// Whether that may be in a private network.
    case webhookPrivate = "webhook-private"
    /// How many seconds a new device may wait at each step.
    case activationSeconds = "activation-seconds"
    /// How a new device can be let in.
    case activationMethods = "activation-methods"
    /// What approvers do with match codes.
    case matchCode = "match-code"
    /// How many signing requests may wait for one person.
    case openRequests = "open-requests"

    /// What it is, and which values it takes.
    package var help: String {
        switch self {
        case .allowLevelZero: "whether texts may be signed without authentication: true or false"
        case .blockMinutes:
            "minutes of the first, second, ... block after three wrong answers: 1 to 10 numbers of 1...1440"
        case .operatorAfter: "wrong answers without a right one until the operator must unlock: 3...1000"
        case .passwordHash: "cost of the Argon2id hash, m=KiB,t=PASSES,p=LANES: p 1...16, t 1...64, m 8*p...1048576"
        case .historyDays: "days that a key history may be relied on: 1...3650"
        case .accessTokenSeconds: "seconds that an access token lives: 30...3600"
        case .refreshTokenDays: "days without a refresh after which a session ends: 1...365"
        case .stepUpHours: "hours after which a person logs in again before they sign: 1...720"
        case .activationHours: "hours that an activation code or an operator's token lives: 1...720"
        case .coolingChanges:
            "changes of a user's devices after which none is possible for a while: 0 (no such limit)...100"
        case .coolingWindowSeconds: "seconds within which so many changes bring the cooling-off: 1...86400"
        case .coolingSeconds: "seconds that the cooling-off lasts: 1...604800"
        case .probationHours: "hours that a new device may neither sign nor approve: 0 (none)...720"
        case .webhook: "where events go: an https URL, or none"
        case .webhookPrivate: "whether the webhook may be on this machine or in a private network: true or false"
        case .activationSeconds: "seconds that a new device may wait for its approval, then for its password: 30...3600"
        case .activationMethods: "how a new device can be let in: verify,activation-code, or one of the two"
        case .matchCode:
            "what whoever approves does with a match code: required (they bring it) or offered (they see it)"
        case .openRequests: "signing requests that may wait for one person: 1...100"
        }
    }

    /// The value in `settings`, as `apply` takes it.
    package func value(in settings: Settings) -> String {
        switch self {
        case .allowLevelZero: String(settings.isLevelZeroAllowed)
        case .blockMinutes: settings.attempts.blockMinutes.map { String($0) }.joined(separator: ",")
        case .operatorAfter: String(settings.attempts.operatorAfter)
        case .passwordHash: settings.passwords.text
        case .historyDays: String(settings.historyLife / 86_400_000)
        case .accessTokenSeconds: String(settings.accessLife / 1000)
        case .refreshTokenDays: String(settings.refreshLife / 86_400_000)
        case .stepUpHours: String(settings.stepUpLife / 3_600_000)
        case .activationHours: String(settings.activationLife / 3_600_000)
        case .coolingChanges: String(settings.coolingOff.changes)
        case .coolingWindowSeconds: String(settings.coolingOff.window / 1000)
        case .coolingSeconds: String(settings.coolingOff.length / 1000)
        case .probationHours: String(settings.probation.length / 3_600_000)
        case .webhook: settings.webhook ?? "none"
        case .webhookPrivate: String(settings.isPrivateWebhookAllowed)
        case .activationSeconds: String(settings.activation.life / 1000)
        case .activationMethods: settings.activation.methods.map(\.rawValue).joined(separator: ",")
        case .matchCode: settings.matchMode.rawValue
        case .openRequests: String(settings.openRequests)
        }
    }

    /// Puts a value into `settings`.
    ///
    /// - Returns: whether it is one that the setting takes.
    func apply(_ value: String, to settings: inout Settings) -> Bool {
        switch self {
        case .allowLevelZero:
            guard let allowed = Bool(value) else { return false }
            settings.isLevelZeroAllowed = allowed
        case .blockMinutes:
            let minutes = value.split(separator: ",", omittingEmptySubsequences: false)
                .map { Self.number(String($0), in: 1...1440) }
            guard !minutes.contains(nil) else { return false }
            return settings.setAttempts(blockMinutes: minutes.compactMap { $0 })
        case .operatorAfter:
            guard let count = Self.number(value, in: 1...1000) else { return false }
            return settings.setAttempts(operatorAfter: count)
        case .passwordHash:
            guard let parameters = PasswordParameters(text: value) else { return false }
            settings.passwords = parameters
        case .historyDays:
            guard let days = Self.number(value, in: 1...3650) else { return false }
            settings.historyLife = Int64(days) * 86_400_000
        case .accessTokenSeconds:
            guard let seconds = Self.number(value, in: 30...3600) else { return false }
            settings.accessLife = Int64(seconds) * 1000
        case .refreshTokenDays:
            guard let days = Self.number(value, in: 1...365) else { return false }
            settings.refreshLife = Int64(days) * 86_400_000
        case .stepUpHours:
            guard let hours = Self.number(value, in: 1...720) else { return false }
            settings.stepUpLife = Int64(hours) * 3_600_000
        case .activationHours:
            guard let hours = Self.number(value, in: 1...720) else { return false }
            settings.activationLife = Int64(hours) * 3_600_000
        case .coolingChanges:
            guard let count = Self.number(value, in: 0...100) else { return false }
            settings.coolingOff.changes = count
        case .coolingWindowSeconds:
            guard let seconds = Self.number(value, in: 1...86_400) else { return false }
            settings.coolingOff.window = Int64(seconds) * 1000
        case .coolingSeconds:
            guard let seconds = Self.number(value, in: 1...604_800) else { return false }
            settings.coolingOff.length = Int64(seconds) * 1000
        case .probationHours:
            guard let hours = Self.number(value, in: 0...720) else { return false }
            settings.probation.length = Int64(hours) * 3_600_000
        case .webhook:
            guard value == "none" || WebhookURL.check(value) else { return false }
            settings.webhook = value == "none" ? nil : value
        case .webhookPrivate:
            guard let allowed = Bool(value) else { return false }
            settings.isPrivateWebhookAllowed = allowed
        case .activationSeconds:
            guard let seconds = Self.number(value, in: 30...3600) else { return false }
            settings.activation.life = Int64(seconds) * 1000
        case .activationMethods:
            let words = ActivationMethod.allCases.map(\.rawValue)
            let chosen = words.filter { value.split(separator: ",").map(String.init).contains($0) }
            // In their one spelling: each once, in this order.
            guard !chosen.isEmpty, chosen.joined(separator: ",") == value else { return false }
            settings.activation.methods = chosen.compactMap { ActivationMethod(rawValue: $0) }
        case .matchCode:
            guard let mode = Match.Mode(rawValue: value) else { return false }
            settings.matchMode = mode
        case .openRequests:
            guard let count = Self.number(value, in: 1...100) else { return false }
            settings.openRequests = count
        }
        return true
    }

    /// A number in its one spelling.
    private static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
        guard let number = Int(text), range.contains(number), String(number).utf8.elementsEqual(text.utf8) else {
            return nil
        }
        return number
    }
}
