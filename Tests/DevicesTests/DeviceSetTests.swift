import CountersignVerifier
import Devices
import Signing
import TestVectors
import Testing

@Suite("What a person may do to their devices")
struct DeviceSetTests {
    /// A UUID that says its number.
    private static func id(_ number: Int) throws -> UUIDText {
        let digits = String(number, radix: 16)
        return try #require(
            UUIDText("00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits))
    }

    /// Devices 0, 1, ... in these states.
    private static func set(_ states: [DeviceState]) throws -> DeviceSet {
        DeviceSet(
            try states.enumerated().map { index, state in
                DeviceSet.Device(id: try id(index), name: "device \(index)", state: state)
            })
    }

    private static func rename(_ number: Int, _ name: String) throws -> DeviceUpdate {
        try DeviceUpdate(device: id(number), operation: "rename", name: name)
    }

    private static func delete(_ number: Int) throws -> DeviceUpdate {
        try DeviceUpdate(device: id(number), operation: "delete", name: nil)
    }

    private static func code(_ body: () throws -> Void) -> Refusal.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? Refusal)?.code
        }
    }

    @Test("D33, D4: every state with every event", arguments: DeviceState.allCases, DeviceState.Event.allCases)
    func states(state: DeviceState, event: DeviceState.Event) throws {
        guard state != .deleted else {
            #expect(throws: Refusal(.deviceUnknown)) { try state.after(event) }
            return
        }
        let expected: DeviceState =
            switch event {
            case .block: .blocked
            case .unblock: .active
            case .delete: .deleted
            }
        #expect(try state.after(event) == expected)
    }

    @Test(
        "O26, D01, D02, C17: an operation is rename or delete in this very spelling, and takes its own members only",
        arguments: [
            ("rename", "  My phone ", nil), ("delete", nil, nil), ("delete", "", nil),
            ("delete", "phone", .deviceOperation), ("Delete", nil, .deviceOperation),
            ("RENAME", "phone", .deviceOperation), ("update", "phone", .deviceOperation), ("", nil, .deviceOperation),
            ("delete ", nil, .deviceOperation), ("block", nil, .deviceOperation),
            ("rename", nil, .memberMissing), ("rename", "", .deviceNameEmpty), ("rename", " ab ", .deviceNameTooShort),
            ("rename", "a\u{202E}bcd", .deviceNameCharacter),
        ] as [(String, String?, Refusal.Code?)])
    func operations(word: String, name: String?, code: Refusal.Code?) throws {
        let id = try Self.id(1)
        #expect(Self.code { _ = try DeviceUpdate(device: id, operation: word, name: name) } == code)
    }

    @Test("C17: the name that is set is the trimmed one")
    func trimmed() throws {
        #expect(try Self.rename(1, "\t My phone\u{3000}").operation == .rename("My phone"))
    }

    @Test("D22, D8: the name that it has already is refused, in another Unicode form too; another device's is fine")
    func names() throws {
        var devices = try Self.set([.active, .active])
        try devices.apply([Self.rename(0, "caf\u{E9}")], from: Self.id(0))
        for same in ["caf\u{E9}", "cafe\u{301}", "  caf\u{E9} "] {
            #expect(Self.code { try devices.apply([Self.rename(0, same)], from: Self.id(0)) } == .deviceNameSame)
        }
        // O25, and another case is another name.
        try devices.apply([Self.rename(0, "device 1"), Self.rename(1, "CAF\u{C9}")], from: Self.id(1))
        #expect(devices.devices.map(\.name) == ["device 1", "CAF\u{C9}"])
    }

    @Test("D3, D19: neither the device that asks can be deleted nor the last one; what is blocked is no other one")
    func current() throws {
        for (others, code) in [
            ([], .deviceLast), ([.active], .deviceCurrent), ([.blocked], .deviceLast), ([.deleted], .deviceLast),
            ([.blocked, .active], .deviceCurrent),
        ] as [([DeviceState], Refusal.Code)] {
            var devices = try Self.set([.active] + others)
            #expect(Self.code { try devices.apply([Self.delete(0)], from: Self.id(0)) } == code)
        }
        var two = try Self.set([.active, .active])
        #expect(Self.code { try two.apply([Self.delete(1), Self.delete(0)], from: Self.id(0)) } == .deviceLast)
        #expect(try two == Self.set([.active, .active]))
    }

    @Test("D20: the device that asks is renamed like any other; a blocked one is renamed and deleted")
    func allowed() throws {
        var devices = try Self.set([.active, .blocked, .blocked])
        try devices.apply([Self.rename(0, "mine"), Self.rename(1, "lost"), Self.delete(2)], from: Self.id(0))
        #expect(devices.devices.map(\.name) == ["mine", "lost", "device 2"])
        #expect(devices.devices.map(\.state) == [.active, .blocked, .deleted])
    }

    @Test("O24, attack D11: one update that is refused refuses all of them")
    func batch() throws {
        let devices = try Self.set([.active, .active, .active, .deleted])
        let good = [try Self.rename(1, "first"), try Self.delete(2)]
        for (bad, code) in [
            (try Self.delete(0), .deviceCurrent), (try Self.delete(9), .deviceUnknown),
            (try Self.rename(3, "back"), .deviceUnknown), (try Self.delete(3), .deviceUnknown),
            (try Self.rename(0, "device 0"), .deviceNameSame), (try Self.delete(1), .memberValue),
        ] as [(DeviceUpdate, Refusal.Code)] {
            for place in 0...good.count {
                var changed = devices
                var updates = good
                updates.insert(bad, at: place)
                #expect(Self.code { try changed.apply(updates, from: Self.id(0)) } == code)
                #expect(changed == devices)
            }
        }
    }

    @Test("attack D11: none at all and more than a hundred are refused; a hundred are not")
    func count() throws {
        var devices = try Self.set(Array(repeating: .active, count: 102))
        #expect(Self.code { try devices.apply([], from: Self.id(0)) } == .memberValue)
        let many = try (1...101).map { try Self.delete($0) }
        #expect(Self.code { try devices.apply(many, from: Self.id(0)) } == .memberValue)
        try devices.apply(Array(many.dropLast()), from: Self.id(0))
        #expect(devices.devices.count { $0.state == .active } == 2)
    }

    @Test("D2, D4: a device that is blocked or deleted, or nobody's, changes nothing any more")
    func asker() throws {
        for (states, asker) in [([.blocked, .active], 0), ([.deleted, .active], 0), ([.active, .active], 7)]
            as [([DeviceState], Int)]
        {
            var devices = try Self.set(states)
            let code = Self.code { try devices.apply([Self.rename(1, "mine now")], from: Self.id(asker)) }
            #expect(code == .tokenInvalid)
        }
    }

    @Test("D3, D33: whatever happens in whatever order, a person is never left without a device", arguments: 0..<60)
    func random(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let size = Int.random(in: 1...5, using: &random)
        var devices = try Self.set(Array(repeating: .active, count: size))
        // The model: names and states by number, changed one by one.
        var names = (0..<size).map { "device \($0)" }
        var states = Array(repeating: DeviceState.active, count: size)
        for step in 0..<200 {
            if Int.random(in: 0..<4, using: &random) == 0 {
                // The operator's: what stays of it is the state.
                let number = Int.random(in: 0..<size, using: &random)
                let event: DeviceState.Event = Bool.random(using: &random) ? .block : .unblock
                guard let next = try? states[number].after(event) else { continue }
                states[number] = next
                devices = DeviceSet(
                    devices.devices.enumerated().map { index, device in
                        var device = device
                        if index == number { device.state = next }
                        return device
                    })
                continue
            }
            let asker = Int.random(in: 0..<size, using: &random)
            let chosen = (0..<size).shuffled(using: &random).prefix(Int.random(in: 1...size, using: &random))
            let updates = try chosen.map { number in
                Bool.random(using: &random) ? try Self.delete(number) : try Self.rename(number, "name \(step)")
            }
            let isAllowed =
                states[asker] == .active
                && zip(chosen, updates).allSatisfy { number, update in
                    states[number] != .deleted && (update.operation != .delete || number != asker)
                }
            let before = devices
            let code = Self.code { try devices.apply(updates, from: Self.id(asker)) }
            #expect((code == nil) == isAllowed)
            if isAllowed {
                for (number, update) in zip(chosen, updates) {
                    switch update.operation {
                    case .rename(let name): names[number] = name
                    case .delete: states[number] = .deleted
                    }
                }
                #expect(states[asker] == .active)
            } else {
                #expect(devices == before)
            }
            #expect(devices.devices.map(\.name) == names)
            #expect(devices.devices.map(\.state) == states)
        }
    }
}
