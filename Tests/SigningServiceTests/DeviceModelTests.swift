import CountersignVerifier
import Devices
import Sessions
import Signing
import SigningService
import Storage
import Testing

/// What the store must say after each step: three devices of one user, kept in the simplest way.
private struct DeviceModel {
    var names = ["device 0", "device 1", "device 2"]
    var states = Array(repeating: DeviceState.active, count: 3)
    var isLoggedIn = [true, true, true]
    var times: [Int64] = []
    var until: Int64 = 0

    /// The code of the refusal of an update by a person; nil: it is done.
    mutating func update(_ target: Int, to name: String?, from asker: Int, at now: Int64) -> Refusal.Code? {
        guard isLoggedIn[asker] else { return .tokenInvalid }
        guard now >= until else { return .deviceNotAllowed }
        guard states[target] != .deleted else { return .deviceUnknown }
        if let name {
            names[target] = name
        } else {
            guard target != asker else { return states.count { $0 == .active } == 1 ? .deviceLast : .deviceCurrent }
            set(.deleted, target)
        }
        times.append(now)
        if times.count(where: { $0 > now - 60_000 }) >= 5 { (times, until) = ([], now + 60_000) }
        return nil
    }

    /// The code of the refusal of what the operator does.
    mutating func change(_ target: Int, _ event: DeviceState.Event) -> Refusal.Code? {
        guard states[target] != .deleted else { return .deviceUnknown }
        switch event {
        case .block: set(.blocked, target)
        case .unblock: states[target] = .active
        case .delete: set(.deleted, target)
        }
        return nil
    }

    mutating func logIn(_ target: Int) -> Refusal.Code? {
        guard states[target] == .active else { return .authenticationFailed }
        isLoggedIn[target] = true
        return nil
    }

    private mutating func set(_ state: DeviceState, _ target: Int) {
        states[target] = state
        isLoggedIn[target] = false
    }
}

/// The same sequence everywhere for the same seed.
private struct Steps: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}

@Suite("Devices against a model")
struct DeviceModelTests {
    @Test(
        "D3, D4, O22: whatever persons and operator do, from two engines, it is what the model says",
        arguments: 0..<UInt64(6))
    func model(seed: UInt64) async throws {
        var random = Steps(state: seed)
        let store = try await TestStore()
        let other = try await store.another()
        let name = try TestStore.user("alice")
        var (model, people, sessions): (DeviceModel, [Person], [Session]) = (DeviceModel(), [], [])
        for number in 0..<3 {
            store.clock.advance(1)
            people.append(try await store.person(device: "device \(number)"))
            sessions.append(people[number].session)
        }
        let ids = try sessions.map { try #require($0.device) }
        for step in 0..<80 {
            let engine = Bool.random(using: &random) ? store.engine : other
            let (asker, target) = (Int.random(in: 0..<3, using: &random), Int.random(in: 0..<3, using: &random))
            let (expected, code): (Refusal.Code?, Refusal.Code?)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<12:
                let text = Int.random(in: 0..<12, using: &random) == 0 ? nil : "name \(step)"
                expected = model.update(target, to: text, from: asker, at: store.clock.now)
                let update = try DeviceUpdate(
                    device: ids[target], operation: text == nil ? "delete" : "rename", name: text)
                let session = sessions[asker]
                code = try await TestStore.code { _ = try await engine.updateDevices([update], as: session) }
            case 12..<15:
                let event: DeviceState.Event =
                    switch Int.random(in: 0..<9, using: &random) {
                    case 0: .delete
                    case 1..<4: .block
                    default: .unblock
                    }
                expected = model.change(target, event)
                code = try await TestStore.code {
                    switch event {
                    case .block: try await engine.block(ids[target], of: name)
                    case .unblock: try await engine.unblock(ids[target], of: name)
                    case .delete: try await engine.delete(ids[target], of: name)
                    }
                }
            case 15..<18:
                expected = model.logIn(target)
                let key = people[target].key
                do {
                    sessions[target] = try await store.logIn(key, engine: engine).session
                    code = nil
                } catch let refusal as Refusal { code = refusal.code }
            default:
                store.clock.advance(Int64.random(in: 1...40_000, using: &random))
                (expected, code) = (nil, nil)
            }
            #expect(code == expected, "step \(step)")
            let list = try await engine.deviceList(of: name)
            #expect(list.devices.map(\.name) == model.names)
            #expect(list.devices.map(\.state) == model.states)
            #expect(list.coolingOffUntil == (store.clock.now < model.until ? model.until : nil))
        }
        await other.close()
    }

    @Test("D7: a clock that goes back a little changes no end of a cooling-off; one that goes back far is refused")
    func clock() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        for number in 1...5 { try await store.update([.rename(alice, "name \(number)")], alice) }
        let end = store.clock.now + 60_000
        let refusal = Refusal(.deviceNotAllowed, .coolingOff(until: end))
        store.clock.advance(-50_000)
        #expect(try await store.engine.deviceList(as: alice.session).coolingOffUntil == end)
        #expect(try await TestStore.refusal { try await store.update([.rename(alice, "again")], alice) } == refusal)
        store.clock.advance(-7_200_000)
        #expect(try await TestStore.code { try await store.update([.rename(alice, "again")], alice) } == .clockBehind)
        store.clock.advance(7_200_000 + 50_000 + 59_999)
        #expect(try await TestStore.refusal { try await store.update([.rename(alice, "again")], alice) } == refusal)
        store.clock.advance(1)
        #expect(try await store.update([.rename(alice, "again")], alice).coolingOffUntil == nil)
    }
}
