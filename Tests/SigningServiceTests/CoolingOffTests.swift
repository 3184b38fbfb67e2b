import Devices
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("Cooling-off and probation in the store")
struct CoolingOffTests {
    @Test("D09, D11, D14, D15, D7: the fifth change brings it; the devices are still listed; a restart changes nothing")
    func coolingOff() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        for number in 1...4 {
            store.clock.advance(1_000)
            let list = try await store.update([.rename(alice, "name \(number)")], alice)
            #expect(list.coolingOffUntil == nil)
        }
        let end = store.clock.now + 60_000
        #expect(try await store.update([.rename(alice, "name 5")], alice).coolingOffUntil == end)
        let refusal = Refusal(.deviceNotAllowed, .coolingOff(until: end))
        let other = try await store.another()
        for engine in [store.engine, other] {
            store.clock.advance(10_000)
            let list = try await engine.deviceList(as: alice.session)
            #expect(list.coolingOffUntil == end)
            #expect(list.devices.map(\.name) == ["name 5"])
            let said = try await TestStore.refusal {
                try await store.update([.rename(alice, "name 6")], alice, engine: engine)
            }
            #expect(said == refusal)
        }
        store.clock.advance(39_999)
        #expect(try await TestStore.refusal { try await store.update([.rename(alice, "name 6")], alice) } == refusal)
        store.clock.advance(1)
        #expect(try await store.engine.deviceList(as: alice.session).coolingOffUntil == nil)
        #expect(try await store.update([.rename(alice, "name 6")], alice).coolingOffUntil == nil)
        await other.close()
    }

    @Test("O22, O23: refusals and new devices do not count; the operator is not held up, and has no part in it")
    func whatCounts() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        for _ in 0..<6 {
            #expect(try await TestStore.code { try await store.update([.rename(alice, "a")], alice) } != nil)
            #expect(try await TestStore.code { try await store.update([.delete(alice)], alice) } != nil)
        }
        let others = [try await store.person(), try await store.person(), try await store.person()]
        let name = try TestStore.user("alice")
        for other in others.dropFirst() {
            try await store.engine.block(#require(other.session.device), of: name)
        }
        #expect(try await store.engine.deviceList(as: alice.session).coolingOffUntil == nil)
        let updates = try others.map { try DeviceUpdate.rename($0, "another") }
        _ = try await store.update(updates, alice)
        _ = try await store.update([.rename(alice, "a name"), .delete(others[0])], alice)
        #expect(try await store.engine.deviceList(as: alice.session).coolingOffUntil == store.clock.now + 60_000)
        try await store.engine.delete(#require(others[1].session.device), of: name)
        _ = try await store.person()
    }

    @Test("O22: as many changes at once as are allowed, from many connections: so many succeed and no more")
    func race() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let other = try await store.another()
        let codes = try await SigningServiceTests.race(20) { index in
            try await TestStore.code {
                try await store.update(
                    [.rename(alice, "name \(index)")], alice, engine: index.isMultiple(of: 2) ? other : nil)
            }
        }
        #expect(codes.count { $0 == nil } == 5)
        #expect(codes.count { $0 == .deviceNotAllowed } == 15)
        await other.close()
    }

    @Test("O22: the rules are settings, which hold from the next change on")
    func settings() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        for (name, value) in [
            (.coolingChanges, "2"), (.coolingWindowSeconds, "10"), (.coolingSeconds, "7200"),
        ] as [(SettingName, String)] {
            #expect(try await store.engine.set(name, to: value))
        }
        _ = try await store.update([.rename(alice, "name 1")], alice)
        store.clock.advance(10_000)
        #expect(try await store.update([.rename(alice, "name 2")], alice).coolingOffUntil == nil)
        let third = try await store.update([.rename(alice, "name 3")], alice)
        #expect(third.coolingOffUntil == store.clock.now + 7_200_000)
        #expect(try await store.engine.set(.coolingChanges, to: "0"))
        for number in 4...20 {
            #expect(try await store.update([.rename(alice, "name \(number)")], alice).coolingOffUntil == nil)
        }
        for value in ["-1", "101", "x", "", "05"] {
            #expect(try await !store.engine.set(.coolingChanges, to: value))
            #expect(try await !store.engine.set(.probationHours, to: value == "101" ? "721" : value))
        }
    }

    @Test("D2: on probation a device signs nothing, at no level, until its very end; others of the user do")
    func probation() async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        let old = try await store.person()
        store.clock.advance(12 * 3_600_000)
        let new = try await store.person()
        _ = try await store.engine.set(.probationHours, to: "12")
        let end = store.clock.now + 12 * 3_600_000
        let refusal = Refusal(.deviceNotAllowed, .probation(until: end))
        let list = try await store.engine.deviceList(as: new.session).devices
        #expect(list.map(\.probationUntil) == [nil, end])
        for level in [0, 1] {
            #expect(try await TestStore.refusal { try await store.start(new.session, level: level) } == refusal)
            _ = try await store.start(try await store.logIn(old.key).session, level: level)
        }
        // A relying service has no device.
        let shop = try await store.service().grant.session
        #expect(try await store.start(shop, level: 0, user: "alice").state == .signed)
        store.clock.advance(12 * 3_600_000 - 1)
        let late = try await store.logIn(new.key).session
        #expect(try await TestStore.refusal { try await store.start(late, level: 1) } == refusal)
        store.clock.advance(1)
        let open = try await store.start(late, level: 1)
        #expect(try await store.answer(open.id, late).state == .signed)
    }
}
