import CountersignVerifier
import Signing
import Testing

/// What the words of `ceremony.json` mean (see its README).
enum CeremonyWords {
    static let generation = 5
    static let issuedAt: Int64 = 1_000_000
    static let expiresAt: Int64 = 1_120_000

    static let states = [
        "idle", "challenged", "signing", "signing-level-0", "completed", "failed", "cancelled", "expired",
    ]

    static let events = [
        "start", "start-level-0", "start-level-4", "start-level-4-without-idv", "start-on-probation",
        "start-after-probation", "answer", "answer-older", "answer-newer", "answer-other-kind",
        "answer-other-session", "answer-other-device", "right", "right-older", "right-newer", "right-other-kind",
        "wrong-left-2", "wrong-left-1", "wrong-left-0", "wrong-left-minus-1", "wrong-older", "blocked",
        "blocked-older", "issued", "issued-older", "issued-newer", "cancel", "cancel-older", "reset", "expire",
    ]

    static func ceremony(in state: String) throws -> Ceremony {
        let level = state == "signing-level-0" ? 0 : 1
        let run = Run(
            id: try Example.uuid(100), generation: generation, request: try Example.request(level: level),
            asker: try Example.asker(device: 2), issuedAt: issuedAt, expiresAt: expiresAt)
        let challenge = Challenge(run: run, method: .password, attemptsLeft: 3, status: .success)
        switch state {
        case "idle": return Ceremony(generation: generation)
        case "challenged": return Ceremony(generation: generation, state: .challenged(challenge))
        case "signing":
            var ceremony = Ceremony(generation: generation, state: .challenged(challenge))
            let proof = Proof.password(at: issuedAt)
            _ = try ceremony.handle(.verified(generation: generation, .right(proof)), at: issuedAt)
            return ceremony
        case "signing-level-0":
            var ceremony = Ceremony(generation: generation - 1)
            let standing = Standing(asker: run.asker, available: [], attemptsLeft: 3)
            _ = try ceremony.handle(.start(run.request, standing, id: run.id), at: issuedAt)
            return ceremony
        case "completed": return Ceremony(generation: generation, state: .completed(try Example.uuid(200)))
        case "failed": return Ceremony(generation: generation, state: .failed(.exhausted))
        case "cancelled": return Ceremony(generation: generation, state: .cancelled)
        case "expired": return Ceremony(generation: generation, state: .expired)
        default: throw UnknownWord(word: state)
        }
    }

    static func event(_ word: String, at now: Int64) throws -> Ceremony.Event {
        let asker = try Example.asker(device: 2)
        let proof = Proof.password(at: now)
        let older = generation - 1
        let newer = generation + 1
        switch word {
        case "start": return try start(asker, [.password])
        case "start-level-0": return try start(asker, [.password], level: 0)
        case "start-level-4": return try start(asker, [.password, .idv], level: 4)
        case "start-level-4-without-idv": return try start(asker, [.biometric, .passcode, .password], level: 4)
        case "start-on-probation": return try start(asker, [.password], probationUntil: now + 1)
        case "start-after-probation": return try start(asker, [.password], probationUntil: now)
        case "answer": return .answer(generation: generation, .password, from: asker)
        case "answer-older": return .answer(generation: older, .password, from: asker)
        case "answer-newer": return .answer(generation: newer, .password, from: asker)
        case "answer-other-kind": return .answer(generation: generation, .biometric, from: asker)
        case "answer-other-session":
            return .answer(generation: generation, .password, from: try Example.asker(session: 7, device: 2))
        case "answer-other-device":
            return .answer(generation: generation, .password, from: try Example.asker(device: 7))
        case "right": return .verified(generation: generation, .right(proof))
        case "right-older": return .verified(generation: older, .right(proof))
        case "right-newer": return .verified(generation: newer, .right(proof))
        case "right-other-kind":
            let other = try #require(Proof(.biometric, methods: [.fpt], at: now))
            return .verified(generation: generation, .right(other))
        case "wrong-left-2": return .verified(generation: generation, .wrong(left: 2))
        case "wrong-left-1": return .verified(generation: generation, .wrong(left: 1))
        case "wrong-left-0": return .verified(generation: generation, .wrong(left: 0))
        case "wrong-left-minus-1": return .verified(generation: generation, .wrong(left: -1))
        case "wrong-older": return .verified(generation: older, .wrong(left: 2))
        case "blocked": return .verified(generation: generation, .blocked)
        case "blocked-older": return .verified(generation: older, .blocked)
        case "issued": return .issued(generation: generation, try Example.uuid(300))
        case "issued-older": return .issued(generation: older, try Example.uuid(300))
        case "issued-newer": return .issued(generation: newer, try Example.uuid(300))
        case "cancel": return .cancel(generation: generation)
        case "cancel-older": return .cancel(generation: older)
        case "reset": return .reset
        case "expire": return .expire
        default: throw UnknownWord(word: word)
        }
    }

    static func name(of state: Ceremony.State) -> String {
        switch state {
        case .idle: "idle"
        case .challenged: "challenged"
        case .signing(let order): order.proof == nil ? "signing-level-0" : "signing"
        case .completed: "completed"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .expired: "expired"
        }
    }

    static func name(of effect: Ceremony.Effect) -> String {
        switch effect {
        case .present(let challenge): "present-\(challenge.status.rawValue)"
        case .takeAttempt: "take-attempt"
        case .sign: "sign"
        case .release: "release"
        case .audit(let entry):
            switch entry.outcome {
            case .signed: "audit-signed"
            case .wrongAnswer: "audit-wrong-answer"
            case .exhausted: "audit-exhausted"
            case .cancelled: "audit-cancelled"
            case .expired: "audit-expired"
            case .reset: "audit-reset"
            }
        }
    }

    struct UnknownWord: Error { let word: String }

    private static func start(
        _ asker: Asker, _ available: Set<EvidenceKind>, level: Int = 1, probationUntil: Int64? = nil
    ) throws -> Ceremony.Event {
        let standing = Standing(
            asker: asker, available: available, attemptsLeft: 3, probationUntil: probationUntil)
        let request = try Example.request(level: level, type: level == 4 ? 1 : 0)
        return .start(request, standing, id: try Example.uuid(101))
    }
}
