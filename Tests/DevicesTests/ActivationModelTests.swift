import CountersignVerifier
import Devices
import Signing
import TestVectors
import Testing

@Suite("New devices in random orders")
struct ActivationModelTests {
    /// What must hold, said without states: what was done to the one that is looked at.
    private struct Model {
        var wasAsked = false
        var isApproved = false
        var hasFallenBack = false
        var isOver = false
        var approver: UUIDText?
        var isIn = false
        /// A question to the others waits.
        var isAsking = false
        var end: Int64
    }

    private static func id(_ number: Int) throws -> UUIDText {
        try #require(UUIDText("00000000-0000-4000-8000-00000000000\(number)"))
    }

    @Test(
        "A01, A10, D1, D2, O16: whatever happens in whatever order, nobody comes in but by an approval that holds, in time, or by a code",
        arguments: 0..<200)
    func random(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let probation = Probation(length: 300)
        let key = String(repeating: "n", count: 43)
        var now: Int64 = 1_000
        var activation = Activation(id: try Self.id(0), thumbprint: key, expiresAt: now + 300)
        var model = Model(end: now + 300)
        for _ in 0..<60 {
            now += Int64.random(in: 0...60, using: &random)
            if now >= model.end { model.isOver = true }
            let number = Int.random(in: 1...4, using: &random)
            let states: [DeviceState] = [.active, .active, .active, .blocked, .deleted]
            let approver = Approver(
                id: try Self.id(number), thumbprint: number == 4 ? key : String(repeating: "\(number)", count: 43),
                state: states.randomElement(using: &random) ?? .active,
                activatedAt: now - Int64.random(in: 0...600, using: &random))
            let mayApprove =
                approver.state == .active && number != 4 && now - approver.activatedAt >= probation.length
            let event: Activation.Event
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: event = .verify(until: now + 300)
            case 2, 3: event = .approve(approver, probation, until: now + 300)
            case 4: event = .reject
            case 5: event = .fallBack(until: now + 300)
            case 6: event = Bool.random(using: &random) ? .cancel : .expire
            case 7, 8: event = .activate(try Self.id(5), by: approver)
            default: event = .enrol(try Self.id(6))
            }
            let before = activation
            var (effect, refused): (Activation.Effect?, Bool) = (nil, false)
            do throws(Refusal) { effect = try activation.handle(event, at: now) } catch { refused = true }
            if refused || effect == nil { #expect(activation == before) }
            let changed = effect != nil
            switch event {
            case .verify:
                #expect((effect == .ask) == (!model.isOver && !model.wasAsked && !model.hasFallenBack))
                guard changed else { break }
                (model.wasAsked, model.isAsking, model.end) = (true, true, now + 300)
            case .approve:
                #expect(changed == (!model.isOver && model.isAsking && mayApprove))
                guard changed else { break }
                (model.isApproved, model.isAsking, model.approver, model.end) = (true, false, approver.id, now + 300)
            case .reject:
                #expect(changed == (!model.isOver && !model.hasFallenBack))
                if changed { model.isOver = true }
            case .fallBack:
                #expect(changed == (!model.isOver && !model.hasFallenBack))
                guard changed else { break }
                #expect((effect == .withdraw) == model.isAsking)
                (model.hasFallenBack, model.isAsking, model.isApproved, model.end) = (true, false, false, now + 300)
            case .cancel:
                #expect(changed == !model.isOver)
                if changed { model.isOver = true }
            case .expire:
                #expect(changed == (now >= model.end && !before.state.status.isFinal))
            case .activate:
                let isRight =
                    !model.isOver && model.isApproved && approver.id == model.approver && approver.state == .active
                #expect(changed == isRight)
                if changed { (model.isIn, model.isOver) = (true, true) }
            case .enrol:
                #expect(changed == !before.state.status.isFinal)
                if changed { (model.isIn, model.isOver) = (true, true) }
            }
            if model.isOver { model.isAsking = false }
            // What is over stays so, and nobody is in by another way.
            if case .activated = activation.state { #expect(model.isIn) } else { #expect(!model.isIn) }
            #expect(activation.state(at: now).status.isFinal == model.isOver)
            #expect((activation.state(at: now).status == .waiting) == model.isAsking)
        }
    }
}
