import CountersignClient
import Testing

@Suite("Devices, with the real service")
struct DeviceTests {
    /// One more device of a user.
    private func another(_ live: LiveServer, of name: String, _ root: Operator) async throws -> Account {
        let account = try live.account("another")
        let code = try await root.makeActivationCode(for: name)
        try await account.enrol(
            user: name, activationCode: code.code, password: Secret("correct horse"), deviceName: "Another")
        return account
    }

    @Test("D28, D29, D15, attack A9: changed once though the answer was lost; the cooling-off with its end")
    func own() async throws {
        try await LiveServer.run { live in
            let exchange = try live.exchange()
            let alice = try await live.person("alice", exchange)
            let other = try await another(live, of: "alice", live.operatorAccount().operator)
            let devices = try await alice.devices()
            #expect(devices.statusCode == 100 && devices.coolingOffUntil == 0 && devices.text == nil)
            #expect(devices.devices.map(\.name) == ["Laptop of alice", "Another"])
            #expect(devices.devices.map(\.isCurrent) == [true, false])
            #expect(devices.devices.map(\.state) == ["active", "active"])
            let (own, gone) = (try #require(devices.devices.first).id, try #require(devices.devices.last).id)
            #expect(await failure { try await alice.updateDevices([.delete(own)]) }?.refusal?.code == 1601)
            #expect(await failure { try await alice.updateDevices([.rename(own, to: "x")]) }?.refusal?.code == 1604)
            exchange.lose("/v1/devices")
            let changed = try await alice.updateDevices([.rename(own, to: " Mine "), .delete(gone)])
            #expect(changed.devices.map(\.name) == ["Mine"])
            #expect(await failure { _ = try await other.devices() }?.needsLogIn == true)
            for number in 3...5 { try await alice.updateDevices([.rename(own, to: "name \(number)")]) }
            let list = try await alice.devices()
            #expect(list.statusCode == 146 && list.text?.isEmpty == false && list.coolingOffUntil > 0)
            #expect(list.devices.map(\.name) == ["name 5"])
            let refusal = await failure { try await alice.updateDevices([.rename(own, to: "name 6")]) }?.refusal
            #expect(refusal?.code == 146 && refusal?.until == list.coolingOffUntil)
        }
    }

    @Test("D4: the operator blocks, unblocks and deletes")
    func operators() async throws {
        try await LiveServer.run { live in
            let alice = try await live.person("alice")
            let root = try await live.operatorAccount().operator
            let id = try #require(try await root.devices(of: "alice").devices.first).id
            #expect(try await root.blockDevice(id, of: "alice").blockedAt != nil)
            #expect(await failure { _ = try await alice.devices() }?.needsLogIn == true)
            #expect(
                await failure { try await alice.logIn(user: "alice", password: Secret("correct horse")) }?.refusal?.code
                    == 102)
            #expect(try await root.unblockDevice(id, of: "alice").state == "active")
            try await alice.logIn(user: "alice", password: Secret("correct horse"))
            #expect(try await alice.devices().devices.map(\.id) == [id])
            try await root.deleteDevice(id, of: "alice")
            #expect(try await root.devices(of: "alice").devices.map(\.state) == ["deleted"])
            #expect(await failure { _ = try await alice.devices() }?.needsLogIn == true)
            for name in ["bob", "..", "a/b"] {
                #expect(await failure { try await root.deleteDevice(id, of: name) }?.refusal?.status == 404)
            }
            #expect(await failure { try await root.deleteDevice("../x", of: "alice") }?.refusal?.status == 404)
        }
    }
}
