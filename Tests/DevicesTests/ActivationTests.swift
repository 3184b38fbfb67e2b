import CountersignVerifier
import Devices
import Signing
import Testing

@Suite("The way of a new device to its user")
struct ActivationTests {
    private static let (start, end, later) = (Int64(1_000), Int64(2_000), Int64(9_000))
    private static let key = String(repeating: "n", count: 43)

    private static func id(_ digit: Character) throws -> UUIDText {
        try #require(UUIDText("00000000-0000-4000-8000-00000000000\(digit)"))
    }

    private static func approver(
        _ digit: Character = "a", key: String = String(repeating: "o", count: 43), state: DeviceState = .active,
        activatedAt: Int64 = 0
    ) throws -> Approver {
        Approver(id: try id(digit), thumbprint: key, state: state, activatedAt: activatedAt)
    }

    private static func states() throws -> [Activation.State] {
        [
            .offered, .waiting, .approved(by: try id("a")), .fallback, .rejected, .cancelled, .expired,
            .activated(try id("d")),
        ]
    }

    private static func events() throws -> [Activation.Event] {
        let approver = try approver()
        return [
            .verify(until: later), .approve(approver, .none, until: later), .reject, .fallBack(until: later), .cancel,
            .expire, .activate(try id("d"), by: approver), .enrol(try id("d")),
        ]
    }

    /// What happens.
    private enum Outcome: Equatable {
        /// Nothing changes, and that is fine.
        case nothing
        case refused(Refusal.Code)
        case goes(Activation.Status, Activation.Effect = .changed)
    }

    /// The table by which the test looks, a row for each event: in the order of the states above.
    private static func table(_ event: Activation.Event, _ status: Activation.Status) -> Outcome {
        let over: [Activation.Status: Refusal.Code] = [
            .rejected: .activationRejected, .cancelled: .cancelled, .expired: .activationExpired,
            .activated: .deviceKeyTaken,
        ]
        let refused = over[status].map { Outcome.refused($0) }
        switch (event, status) {
        case (.verify, .offered): return .goes(.waiting, .ask)
        case (.verify, .waiting), (.verify, .approved): return .nothing
        case (.verify, .fallback): return .refused(.activationMethodUnavailable)
        case (.approve, .waiting): return .goes(.approved)
        case (.approve, .offered), (.approve, .approved), (.approve, .fallback): return .refused(.notificationProcessed)
        case (.reject, .offered), (.reject, .approved): return .goes(.rejected)
        case (.reject, .waiting): return .goes(.rejected, .withdraw)
        case (.reject, _): return .nothing
        case (.fallBack, .offered), (.fallBack, .approved): return .goes(.fallback)
        case (.fallBack, .waiting): return .goes(.fallback, .withdraw)
        case (.fallBack, .fallback): return .nothing
        case (.cancel, .waiting): return .goes(.cancelled, .withdraw)
        case (.cancel, .offered), (.cancel, .approved), (.cancel, .fallback): return .goes(.cancelled)
        case (.cancel, _), (.expire, _): return .nothing
        case (.activate, .approved): return .goes(.activated)
        case (.activate, .offered), (.activate, .waiting): return .refused(.activationPending)
        case (.activate, .fallback): return .refused(.activationMethodUnavailable)
        case (.enrol, .waiting): return .goes(.activated, .withdraw)
        case (.enrol, .offered), (.enrol, .approved), (.enrol, .fallback): return .goes(.activated)
        case (.enrol, _): return .nothing
        case (.verify, _), (.approve, _), (.fallBack, _), (.activate, _): return refused ?? .nothing
        }
    }

    private static func outcome(_ event: Activation.Event, of activation: inout Activation, at now: Int64) -> Outcome {
        let before = activation
        do throws(Refusal) {
            guard let effect = try activation.handle(event, at: now) else {
                return activation == before ? .nothing : .goes(activation.state.status)
            }
            return .goes(activation.state.status, effect)
        } catch {
            return activation == before ? .refused(error.code) : .goes(activation.state.status)
        }
    }

    @Test("A01, A05-A14, O16, O20, C15: every state with every event, before its end")
    func states() throws {
        for state in try Self.states() {
            for event in try Self.events() {
                var activation = Activation(
                    id: try Self.id("1"), thumbprint: Self.key, state: state, expiresAt: Self.end)
                let found = Self.outcome(event, of: &activation, at: Self.end - 1)
                #expect(found == Self.table(event, state.status), "\(state) \(event)")
                // What goes on has time again.
                if case .goes(let status, _) = found, !status.isFinal { #expect(activation.expiresAt == Self.later) }
            }
        }
    }

    @Test("O15, O18: at its very end it is over, whatever comes then; only a code lets the device in all the same")
    func expiry() throws {
        for state in try Self.states() where !state.status.isFinal {
            for event in try Self.events() {
                for now in [Self.end, Self.end + 1, .max] {
                    var activation = Activation(
                        id: try Self.id("1"), thumbprint: Self.key, state: state, expiresAt: Self.end)
                    #expect(activation.state(at: now) == .expired)
                    let found = Self.outcome(event, of: &activation, at: now)
                    let expected: Outcome =
                        switch event {
                        case .expire: .goes(.expired)
                        case .cancel: .nothing
                        case .reject: .nothing
                        case .enrol: .goes(.activated, state == .waiting ? .withdraw : .changed)
                        default: .refused(.activationExpired)
                        }
                    #expect(found == expected, "\(state) \(event)")
                }
            }
            var early = Activation(id: try Self.id("1"), thumbprint: Self.key, state: state, expiresAt: Self.end)
            #expect(try early.handle(.expire, at: Self.end - 1) == nil)
        }
    }

    @Test("D1, D2: neither the device itself approves, nor one that is blocked, deleted or on probation")
    func approvers() throws {
        let probation = Probation(length: 500)
        let now = Self.start
        let cases: [(Approver, Refusal?)] = [
            (try Self.approver(), nil), (try Self.approver(activatedAt: now - 500), nil),
            (
                try Self.approver(activatedAt: now - 499),
                Refusal(.deviceNotAllowed, .probation(until: now + 1))
            ),
            (try Self.approver(key: Self.key), Refusal(.deviceNotAllowed)),
            (try Self.approver(state: .blocked), Refusal(.tokenInvalid)),
            (try Self.approver(state: .deleted), Refusal(.tokenInvalid)),
            (try Self.approver(key: Self.key, state: .deleted), Refusal(.tokenInvalid)),
        ]
        for (approver, refusal) in cases {
            var activation = Activation(
                id: try Self.id("1"), thumbprint: Self.key, state: .waiting, expiresAt: Self.end)
            let before = activation
            do throws(Refusal) {
                _ = try activation.handle(.approve(approver, probation, until: Self.later), at: now)
                #expect(refusal == nil)
                #expect(activation.state == .approved(by: approver.id))
            } catch {
                #expect(error == refusal)
                #expect(activation == before)
            }
        }
    }

    @Test("D2, D4: the word of a device that was taken out of use since lets nobody in")
    func goneApprover() throws {
        for approver in [
            try Self.approver(state: .blocked), try Self.approver(state: .deleted), try Self.approver("b"), nil,
        ] {
            var activation = Activation(
                id: try Self.id("1"), thumbprint: Self.key, state: .approved(by: try Self.id("a")), expiresAt: Self.end)
            #expect(throws: Refusal(.activationRejected)) {
                try activation.handle(.activate(try Self.id("d"), by: approver), at: Self.start)
            }
            #expect(try activation.state == .approved(by: Self.id("a")))
        }
    }

    @Test("A03, A04, O14: there are two ways, and their names are fixed")
    func methods() {
        #expect(ActivationMethod.allCases.map(\.rawValue) == ["verify", "activation-code"])
    }
}
