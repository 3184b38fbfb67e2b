import CountersignKeys
import CountersignVerifier
import Devices
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("Devices in the store")
struct DeviceTests {
    @Test("D05-D08, D29: the list says state, times and which is this one; deleted ones are gone")
    func list() async throws {
        let store = try await TestStore()
        let phone = try await store.person(device: "phone")
        store.clock.advance(5_000)
        let laptop = try await store.person(device: "laptop")
        let list = try await store.engine.deviceList(as: laptop.session)
        #expect(list.devices.map(\.name) == ["phone", "laptop"])
        #expect(list.devices.map(\.isCurrent) == [false, true])
        #expect(list.devices.map(\.state) == [.active, .active])
        #expect(list.devices.map(\.createdAt) == [store.clock.now - 5_000, store.clock.now])
        #expect(list.devices.map(\.activatedAt) == list.devices.map(\.createdAt))
        #expect(list.coolingOffUntil == nil)
        try await store.update([try .rename(phone, "old phone")], laptop)
        let after = try await store.update([try .delete(phone)], laptop)
        #expect(after.devices.map(\.name) == ["laptop"])
        let seen = try await store.engine.deviceList(of: TestStore.user("alice"))
        #expect(seen.devices.map(\.name) == ["old phone", "laptop"])
        #expect(seen.devices.map(\.state) == [.deleted, .active])
        #expect(try await store.events().suffix(2) == ["device-renamed", "device-deleted"])
    }

    @Test("D29: an operator's list is never longer than a list may be: the oldest deleted devices are left out")
    func longList() async throws {
        let store = try await TestStore()
        let phone = try await store.person(device: "phone")
        try await store.change { connection in
            for number in 0..<Page.limit {
                let digits = String(number)
                let padded = String(repeating: "0", count: 12 - digits.count) + digits
                var row = DeviceRow(
                    id: "00000000-0000-4000-8000-\(padded)", userName: "alice", name: "old \(number)",
                    thumbprint: "x" + String(repeating: "0", count: 30) + padded, jwk: "{}", createdAt: Int64(number))
                try row.insert(on: connection)
                row = try #require(try DeviceRow.find(row.id, on: connection))
                row.state = .deleted
                try row.update(on: connection)
            }
        }
        let seen = try await store.engine.deviceList(of: TestStore.user("alice")).devices
        #expect(seen.count == Page.limit)
        #expect(seen.first?.name == "old 1" && seen.last?.id == phone.session.device)
        #expect(try await store.engine.deviceList(as: phone.session).devices.map(\.name) == ["phone"])
    }

    @Test("D4, D33: a deleted device is dead at once: its tokens, its open signing, its log-in, its key for ever")
    func deleted() async throws {
        let store = try await TestStore()
        let (phone, laptop) = (try await store.person(), try await store.person())
        let open = try await store.start(phone.session)
        let code = try await store.engine.makeActivationCode(for: TestStore.user("alice")).code
        try await store.update([try .delete(phone)], laptop)
        #expect(try await !store.isAlive(phone.grant.accessToken))
        #expect(try await store.isAlive(laptop.grant.accessToken))
        let refresh = try #require(phone.grant.refreshToken)
        #expect(
            try await TestStore.code {
                _ = try await store.engine.refresh(refresh, thumbprint: phone.thumbprint)
            } == .grantInvalid)
        #expect(try await store.engine.signing(open.id, as: .operator).state == .cancelled)
        #expect(try await TestStore.code { _ = try await store.answer(open.id, phone.session) } != nil)
        #expect(try await TestStore.code { _ = try await store.logIn(phone.key) } == .authenticationFailed)
        #expect(
            try await TestStore.code {
                _ = try await store.engine.enrol(
                    user: TestStore.user("alice"), code: code, password: TestStore.secret(TestStore.password),
                    deviceName: "again", key: phone.key.publicKey)
            } == .deviceKeyTaken)
    }

    @Test("D4: whoever was let through before their device was deleted signs nothing any more", arguments: [0, 1])
    func deletedMeanwhile(level: Int) async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.allowLevelZero, to: "true")
        let (phone, laptop) = (try await store.person(), try await store.person())
        try await store.update([try .delete(phone)], laptop)
        #expect(try await TestStore.code { _ = try await store.start(phone.session, level: level) } == .tokenInvalid)
        #expect(try await TestStore.code { try await store.update([.delete(laptop)], phone) } == .tokenInvalid)
        #expect(try await store.start(laptop.session, level: level).user.text == "alice")
    }

    @Test("O24, attack D11: one device of somebody else refuses the whole batch, as one that does not exist")
    func foreign() async throws {
        let store = try await TestStore()
        try await store.engine.addUser(TestStore.user("bob"), password: TestStore.secret(TestStore.password))
        let phone = try await store.person()
        store.clock.advance(1)
        let laptop = try await store.person(device: "laptop")
        let bob = try await store.person("bob")
        for updates in [
            [try .rename(phone, "old phone"), try .delete(bob)], [try .rename(bob, "mine now")],
        ] as [[DeviceUpdate]] {
            #expect(try await TestStore.code { try await store.update(updates, laptop) } == .deviceUnknown)
        }
        let names = try await store.engine.deviceList(as: laptop.session).devices.map(\.name)
        #expect(names == ["phone", "laptop"])
        #expect(try await store.isAlive(bob.grant.accessToken))
        let shop = try await store.service().grant.session
        #expect(try await TestStore.code { _ = try await store.engine.deviceList(as: shop) } == .scopeInsufficient)
    }

    @Test("D3: the last two delete each other at once: exactly one is deleted, and it is told so")
    func eachOther() async throws {
        for _ in 0..<10 {
            let store = try await TestStore()
            let people = [try await store.person(), try await store.person()]
            let other = try await store.another()
            let codes = try await race(2) { index in
                let update = try DeviceUpdate.delete(people[1 - index])
                return try await TestStore.code {
                    _ = try await (index == 0 ? store.engine : other).updateDevices(
                        [update], as: people[index].session)
                }
            }
            #expect(codes.count { $0 == nil } == 1)
            #expect(codes.count { $0 == .tokenInvalid } == 1)
            let states = try await store.engine.deviceList(of: TestStore.user("alice")).devices.map(\.state)
            #expect(states.count { $0 == .active } == 1)
            await other.close()
        }
    }

    @Test("D19: neither the current device nor the last one can be deleted by its user")
    func current() async throws {
        let store = try await TestStore()
        let phone = try await store.person()
        #expect(try await TestStore.code { try await store.update([.delete(phone)], phone) } == .deviceLast)
        let laptop = try await store.person()
        #expect(try await TestStore.code { try await store.update([.delete(phone)], phone) } == .deviceCurrent)
        #expect(try await store.isAlive(laptop.grant.accessToken))
    }

    @Test("An update that names itself happens once, and is answered the same again")
    func once() async throws {
        let store = try await TestStore()
        let (phone, laptop) = (try await store.person(), try await store.person())
        let once = Once<DeviceList>(owner: "laptop", key: "k", digest: [1]) { list in
            .body(status: 200, Array("\(list.devices.count)".utf8))
        }
        let updates = [try DeviceUpdate.delete(phone)]
        _ = try await store.engine.updateDevices(updates, as: laptop.session, once: once)
        await #expect(throws: StorageError.self) {
            _ = try await store.engine.updateDevices(updates, as: laptop.session, once: once)
        }
        let kept = try await store.engine.keptReply(owner: "laptop", key: "k", digest: [1])
        #expect(kept == .body(status: 200, Array("1".utf8)))
        #expect(try await store.events().count { $0 == "device-deleted" } == 1)
    }
}

@Suite("The operator and devices")
struct DeviceOperatorTests {
    @Test("D4: a blocked device is out at once, and looks like a stranger's; unblocked it logs in anew")
    func block() async throws {
        let store = try await TestStore()
        let phone = try await store.person()
        store.clock.advance(1)
        let laptop = try await store.person()
        let (name, id) = (try TestStore.user("alice"), try #require(phone.session.device))
        let open = try await store.start(phone.session)
        let blocked = try await store.engine.block(id, of: name)
        #expect(blocked.state == .blocked)
        #expect(blocked.blockedAt == store.clock.now)
        store.clock.advance(1_000)
        #expect(try await store.engine.block(id, of: name).blockedAt == store.clock.now - 1_000, "the first counts")
        #expect(try await store.events().count { $0 == "device-blocked" } == 1)
        #expect(try await !store.isAlive(phone.grant.accessToken))
        #expect(try await store.isAlive(laptop.grant.accessToken))
        #expect(try await store.engine.signing(open.id, as: .operator).state == .cancelled)
        #expect(try await TestStore.code { _ = try await store.start(phone.session) } == .tokenInvalid)
        #expect(try await TestStore.code { _ = try await store.logIn(phone.key) } == .authenticationFailed)
        #expect(try await store.engine.deviceList(as: laptop.session).devices.map(\.state) == [.blocked, .active])

        #expect(try await store.engine.unblock(id, of: name).blockedAt == nil)
        #expect(try await store.engine.unblock(id, of: name).state == .active)
        #expect(try await store.events().count { $0 == "device-unblocked" } == 1)
        #expect(try await !store.isAlive(phone.grant.accessToken), "the old session stays over")
        #expect(try await store.logIn(phone.key).session.device == id)
    }

    @Test("D3, K19: the operator deletes even the last device; what is gone or another's is unknown")
    func delete() async throws {
        let store = try await TestStore()
        try await store.engine.addUser(TestStore.user("bob"), password: TestStore.secret(TestStore.password))
        let (phone, bob) = (try await store.person(), try await store.person("bob"))
        let (name, id) = (try TestStore.user("alice"), try #require(phone.session.device))
        let other = try #require(bob.session.device)
        for device in [other, try SigningEngine.anyID()] {
            #expect(try await TestStore.code { try await store.engine.block(device, of: name) } == .deviceUnknown)
            #expect(try await TestStore.code { try await store.engine.delete(device, of: name) } == .deviceUnknown)
        }
        let nobody = try TestStore.user("nobody")
        #expect(try await TestStore.code { try await store.engine.unblock(id, of: nobody) } == .userUnknown)
        try await store.engine.block(id, of: name)
        try await store.engine.delete(id, of: name)
        for event in 0..<3 {
            let code = try await TestStore.code {
                switch event {
                case 0: try await store.engine.block(id, of: name)
                case 1: try await store.engine.unblock(id, of: name)
                default: try await store.engine.delete(id, of: name)
                }
            }
            #expect(code == .deviceUnknown)
        }
        #expect(try await !store.isAlive(phone.grant.accessToken))
        let device = try await store.engine.deviceList(of: name).devices.first
        #expect(device?.state == .deleted)
        #expect(device?.blockedAt == nil)
        #expect(try await store.isAlive(bob.grant.accessToken))
    }

    @Test("D2, S4: a block while the answer's password is checked: nothing is signed")
    func blockDuringAnswer() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let (name, id) = (try TestStore.user("alice"), try #require(alice.session.device))
        let open = try await store.start(alice.session)
        let interrupted = try await store.interruptedAttempt(.stepUp) { try await store.engine.block(id, of: name) }
        let code = try await TestStore.code {
            _ = try await store.answer(open.id, alice.session, engine: interrupted.engine)
        }
        #expect(interrupted.database.hasHappened)
        #expect(code != nil)
        #expect(try await store.engine.statements(.init(), .first, as: .operator).isEmpty)
    }
}

extension DeviceUpdate {
    static func rename(_ person: Person, _ name: String) throws -> DeviceUpdate {
        try DeviceUpdate(device: try #require(person.session.device), operation: "rename", name: name)
    }

    static func delete(_ person: Person) throws -> DeviceUpdate {
        try DeviceUpdate(device: try #require(person.session.device), operation: "delete", name: nil)
    }
}

extension TestStore {
    /// Changes devices as the person at one of them.
    @discardableResult
    func update(
        _ updates: [DeviceUpdate], _ person: Person, engine: SigningEngine? = nil
    ) async throws -> DeviceList {
        try await (engine ?? self.engine).updateDevices(updates, as: person.session)
    }
}

extension SigningEngine {
    /// An id that nothing has.
    static func anyID() throws -> UUIDText { try TestStore.asker().session }
}
