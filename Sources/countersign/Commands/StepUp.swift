import CountersignKeys
import CountersignVerifier
import Glibc
import Signing
import SigningService

/// One ceremony at the command line: started, shown, answered; reset whenever it ends without a signature.
struct StepUp {
    private let service: OpenService
    /// The password that was given by file or standard input.
    private let fixed: SecretBytes?
    /// Where it is asked for otherwise.
    private let terminal: Terminal?

    /// How long a reset may hold up a process that was told to end, in milliseconds.
    private static let patience: Int64 = 3000

    /// Gets hold of the password, or of the terminal to ask for it, before anything is started.
    ///
    /// - Parameter password: nil where the level needs none.
    init(service: OpenService, password: PasswordSource?) throws(Failure) {
        self.service = service
        fixed = try password?.fixedPassword()
        terminal = password != nil && fixed == nil ? try PasswordOptions.openTerminal() : nil
    }

    /// Runs the ceremony to its end.
    ///
    /// - Parameter showsAll: whether all payloads of a batch are shown, however many.
    /// - Returns: a result for each payload, in their order.
    func sign(
        user: UserName, payloads: Payloads, reason: [UInt8], level: Int, type: Int, audience: String?, showsAll: Bool,
        once key: String?
    ) throws -> [SignedResult] {
        try runAny(isNamed: key != nil, showsAll: showsAll) { service in
            try await service.start(
                user: user, payloads: payloads, reason: reason, level: level, type: type, audience: audience,
                once: key)
        }
    }

    /// Runs a ceremony to its end, however it begins.
    ///
    /// - Parameters:
    ///   - text: what the person has to read before the challenge.
    ///   - isNamed: whether the same command again finds the same ceremony: one that met a service which is busy, or gone,
    ///     waits for that.
    func run(
        after text: String? = nil, isNamed: Bool = false,
        _ begin: @escaping @Sendable (any Service) async throws -> SigningOutcome
    ) throws -> SignedResult {
        guard let result = try runAny(after: text, isNamed: isNamed, begin).first else {
            throw Failure(Refusal(.internalFault))
        }
        return result
    }

    private func runAny(
        after text: String? = nil, isNamed: Bool = false, showsAll: Bool = false,
        _ begin: @escaping @Sendable (any Service) async throws -> SigningOutcome
    ) throws -> [SignedResult] {
        switch try step(begin) {
        case .signed(let result): return [result]
        case .signedAll(let results): return results
        case .challenged(let challenge):
            do {
                if let text { try show(text) }
                return try answer(challenge, showsAll: showsAll)
            } catch {
                // What failed is what the person must hear of, not what then failed in tidying up.
                let isPassing = (error as? Failure)?.status == .unavailable
                if !isNamed || !isPassing { try? service.run { try await $0.resetOwn() } }
                throw error
            }
        }
    }

    private func answer(_ first: Challenge, showsAll: Bool) throws -> [SignedResult] {
        var challenge = first
        // What is seen is what is signed: the sheet shows what the store holds.
        if let batch = first.run.request.batch {
            try show(CeremonySheet.text(first, batch, showsAll: showsAll))
            if !showsAll && !CeremonySheet.isShort(batch) { try offerList(of: batch, until: first.run.expiresAt) }
        } else {
            try show(CeremonySheet.text(first))
        }
        while true {
            let current = challenge
            let password = try fixed ?? ask(current)
            switch try step({ try await $0.answer(current, with: password) }) {
            case .signed(let result): return [result]
            case .signedAll(let results): return results
            case .challenged(let next):
                let refusal = Refusal(.authenticationFailed, .attemptsLeft(next.attemptsLeft))
                guard fixed == nil, let terminal else { throw Failure(refusal) }
                try terminal.show("Authentication failed; \(CeremonySheet.attempts(next.attemptsLeft)).\n")
                challenge = next
            }
        }
    }

    /// One step. Ctrl-C ends it and the ceremony; what is signed already is handed out all the same.
    private func step(
        _ work: @escaping @Sendable (any Service) async throws -> SigningOutcome
    ) throws(Failure) -> SigningOutcome {
        switch try service.runStep(work) {
        case .ended(.challenged, let signal?), .interrupted(let signal): end(by: signal)
        case .ended(let outcome, _): return outcome
        }
    }

    private func show(_ sheet: String) throws(Failure) {
        if let terminal { try terminal.show(sheet) } else if Diagnosis.isTerminal { Diagnosis.write(sheet) }
    }

    /// Lists a batch that is too long for the sheet, where the person asks for it.
    private func offerList(of batch: Batch, until end: Int64) throws(Failure) {
        guard let terminal else { return }
        switch try terminal.askLine("Press Enter to go on, or type all to read them all: ", limit: 16, deadline: end) {
        case .secret(let typed):
            let isWanted = typed.withBytes { bytes in bytes.indices.map { bytes[$0] } == Array("all".utf8) }
            if isWanted { try terminal.show(CeremonySheet.list(batch)) }
        case .tooLong: break
        case .cancelled: throw Failure(Refusal(.cancelled))
        case .expired: throw Failure(Refusal(.challengeExpired))
        case .signal(let number): self.end(by: number)
        }
    }

    private func ask(_ challenge: Challenge) throws(Failure) -> SecretBytes {
        guard let terminal else { throw Failure(Refusal(.cancelled)) }
        let run = challenge.run
        let prompt = "Password of \(run.request.user.text) (\(CeremonySheet.attempts(challenge.attemptsLeft))): "
        while true {
            switch try terminal.askSecret(prompt, limit: PasswordSource.limit, deadline: run.expiresAt) {
            case .secret(let secret) where secret.count > 0: return secret
            case .secret: try terminal.show("It is empty, and does not count; Ctrl-C cancels.\n")
            case .tooLong: try terminal.show("It has more than \(PasswordSource.limit) bytes, and does not count.\n")
            case .cancelled: throw Failure(Refusal(.cancelled))
            case .expired: throw Failure(Refusal(.challengeExpired))
            case .signal(let number): end(by: number)
            }
        }
    }

    /// Resets what is open, then ends the process as the signal would have.
    private func end(by signal: Int32) -> Never {
        service.leave(within: Self.patience) { try await $0.resetOwn() }
        Signals.die(by: signal)
    }
}
