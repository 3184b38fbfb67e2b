import CountersignClient
import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Sessions
import Signing
import SigningService
import Storage
import Wire

/// A service on the network, as somebody's device: a person's or the operator's.
struct RemoteService: Service {
    let location: Location
    let user: UserName?
    let account: Account
    private let published: PublishedKeys
    private let isOperator: Bool
    private let isClient: Bool
    /// The signing that this process started.
    private let open = Guarded<SigningFlow?>(nil)

    init(_ profile: Profile, passcode: Secret?) throws(ServiceError) {
        account = try Account(profile, passcode: passcode)
        published = PublishedKeys(profile)
        location = .url(account.origin)
        user = profile.user.flatMap { UserName($0) }
        isOperator = profile.isOperator
        isClient = profile.client != nil
    }

    /// Nothing is kept open that the end of the process does not close.
    func close() {}
}

extension RemoteService {
    func check(user: UserName, level: Int) throws(Failure) {
        if isOperator {
            throw Failure(
                .authenticationFailed, "the operator signs nothing",
                advice: "Choose a person's profile: --profile NAME.")
        }
        if isClient && level != 0 {
            throw Failure(
                .unsupportedMethod, "a relying service signs at level 0 alone: it has nobody to ask",
                advice: "Give --level 0, or choose a person's profile.")
        }
        if let own = self.user, own != user {
            throw Failure(
                .refusedInput, "this profile is one of \(own.text), who cannot sign for \(user.text)",
                advice: "Leave --user away, or choose another profile.")
        }
    }

    func start(
        user: UserName, payloads: Payloads, reason: [UInt8], level: Int, type: Int, audience: String?, once key: String?
    ) async throws -> SigningOutcome {
        let request = try RemoteRequest(
            payloads: payloads, reason: reason, level: level, type: type, audience: audience)
        let user = isClient ? user.text : nil
        if let batch = request.batch {
            return try outcome(
                try await account.startBatch(
                    for: user, payloads: batch, reason: request.reason, level: level, authenticatorType: type,
                    idempotencyKey: key))
        }
        return try outcome(
            try await account.startSigning(
                for: user, payload: request.payload, reason: request.reason, level: level, authenticatorType: type,
                idempotencyKey: key))
    }

    func answer(_ challenge: Challenge, with password: SecretBytes) async throws -> SigningOutcome {
        guard let flow = open.with({ $0 }) else { throw Refusal(.noChallenge) }
        do {
            return try outcome(try await flow.answer(with: Secret(password)))
        } catch ServiceError.refused(let refusal) where refusal.refusal?.code == .authenticationFailed {
            guard let left = refusal.attemptsLeft, left > 0 else { throw ServiceError.refused(refusal) }
            return .challenged(
                Challenge(
                    run: challenge.run, method: challenge.method, attemptsLeft: left, status: .authenticationFailed))
        } catch let error as ServiceError {
            let failure = Failure(error)
            guard failure.status == .unavailable else { throw error }
            throw Failure(
                failure.status, failure.message,
                advice: (error.mayBeDone ? "It may have been signed" : "It was not signed")
                    + ": see `countersign history --ceremony \(flow.id)` before you sign again.")
        }
    }

    /// Chooses an action of a notification that is signed.
    func answer(
        _ notification: CountersignClient.NotificationRecord, action: String, language: String?, matchCode: String?
    ) async throws -> SigningOutcome {
        let answer = try await account.answer(
            notification, action: action, language: language, matchCode: matchCode)
        guard let flow = answer.signing else {
            throw ServiceError.protocolViolation("the service took an answer without the signature that it needs")
        }
        return try outcome(flow, for: notification.request?.asker ?? notification.client)
    }

    /// What the service says is open or signed, read as strictly as if it had been asked for here.
    private func outcome(_ flow: SigningFlow, for audience: String? = nil) throws -> SigningOutcome {
        switch flow.state {
        case .signed:
            if let batch = flow.batch {
                open.with { $0 = nil }
                return .signedAll(batch.compactMap(\.result))
            }
            guard let result = flow.result else { throw Refusal(.internalFault) }
            open.with { $0 = nil }
            return .signed(result)
        case .challenged:
            open.with { $0 = flow }
            return .challenged(try Challenge(flow.message, for: audience))
        case .failed: throw Refusal.exhausted
        case .cancelled: throw Refusal(.cancelled)
        case .expired: throw Refusal(.challengeExpired)
        }
    }

    func resetOwn() async throws {
        // Another process may have one open in the same session; it is left alone as soon as ours is known.
        if let flow = open.with({ $0 }) { try await flow.reset() } else { try await account.resetSigning() }
    }

    func reset(ceremony: UUIDText) async throws -> Bool {
        try await ifKnown(.ceremonyUnknown) { () async throws(ServiceError) in
            try await account.operator.resetSigning(ceremony.text)
        } != nil
    }

    func resetAll(of user: UserName?) async throws -> Int? {
        if let user, user != self.user { return try await account.operator.resetSignings(of: user.text) }
        if isOperator { return try await account.operator.resetSignings() }
        try await account.resetSigning()
        return nil
    }

    func statement(_ id: UUIDText) async throws -> StatementMessage? {
        try await ifKnown(.statementUnknown) { () async throws(ServiceError) in
            try CompactText.checked(await account.statement(id.text).message)
        }
    }

    func statements(ofCeremony id: UUIDText) async throws -> [StatementMessage] {
        let flow = try await ifKnown(.ceremonyUnknown) { () async throws(ServiceError) in
            try await account.signing(id.text)
        }
        var statements: [StatementMessage] = []
        for result in flow?.batch?.map(\.result) ?? [flow?.result] {
            guard let id = result.flatMap({ UUIDText($0.signatureID) }), let statement = try await statement(id) else {
                continue
            }
            statements.append(statement)
        }
        return statements
    }

    func statements(_ filter: StatementRow.Filter, _ page: Page) async throws -> [StatementMessage] {
        try await account.statements(StatementFilter(filter), startIndex: page.startIndex, count: page.count)
            .map { try CompactText.checked($0.message) }
    }

    func keySet() async throws -> [UInt8] { try await published.set() }
    func trustedKeys() async throws -> [PublicKey] { try await published.trusted() }
    func rootKey() async throws -> RootKey? { try await published.root() }

    /// The operator gets a new history, as from a store; anybody else the newest.
    func keyHistory(signedBy key: PrivateKey?) async throws -> [UInt8] {
        guard key == nil else {
            throw Failure(.refusedInput, "a service signs its key histories with its own root key, not with --root-key")
        }
        guard isOperator else { return try await published.history() }
        return try CompactText.checked(await account.operator.signKeyHistory(), "key history")
    }

    /// What a call gives, or nil where the service refuses it with this code.
    private func ifKnown<Value>(
        _ code: Refusal.Code, _ call: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value? {
        do throws(ServiceError) { return try await call() } catch {
            guard case .refused(let refusal) = error, refusal.refusal?.code == code else { throw error }
            return nil
        }
    }
}
