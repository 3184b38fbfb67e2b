import CountersignKeys
import CountersignVerifier
import Devices
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("New devices, several things at once")
struct ActivationRaceTests {
    @Test("O16: of two devices that answer at once one wins, and the new device learns that one's word")
    func answers() async throws {
        let store = try await TestStore()
        let people = [try await store.person(), try await store.person(device: "laptop")]
        let other = try await store.another()
        for _ in 0..<3 {
            let (newcomer, question, code) = try await store.asking()
            let codes = try await race(8) { index in
                let engine = index.isMultiple(of: 2) ? other : store.engine
                let person = people[index / 2 % 2]
                return try await TestStore.code {
                    if index < 4 {
                        try await store.approve(question, code, by: person, engine: engine)
                    } else {
                        try await store.reject(question, by: person, engine: engine)
                    }
                }
            }
            #expect(codes.count { $0 == nil } == 1)
            #expect(codes.count { $0 == .notificationProcessed } == 7)
            let history = try await store.engine.notification(question, as: .operator).notification.state
            guard case .updated(let answer) = history else {
                Issue.record("nobody answered")
                return
            }
            let expected: Activation.Status = answer.action == "Accept" ? .approved : .rejected
            #expect(try await newcomer.state().status == expected)
        }
        await other.close()
    }

    @Test("A14, C15: given up or gone on with a code while somebody approves: what came first stands, alone")
    func giveUp() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let other = try await store.another()
        for round in 0..<4 {
            let (newcomer, question, code) = try await store.asking()
            let codes = try await race(2) { index in
                try await TestStore.code {
                    if index == 0 {
                        try await store.approve(question, code, by: alice, engine: other)
                    } else if round.isMultiple(of: 2) {
                        try await newcomer.cancel()
                    } else {
                        _ = try await newcomer.fallBack()
                    }
                }
            }
            // Giving up works before and after the approval; the approval only before.
            #expect(codes.contains(nil) && codes.allSatisfy { $0 == nil || $0 == .notificationProcessed })
            #expect(try await newcomer.state().status == (round.isMultiple(of: 2) ? .cancelled : .fallback))
            #expect(try await store.state(question).status.isFinal)
        }
        await other.close()
    }

    @Test("Attack D5, S5: of ten that finish at once, over two engines, one device and one session come of it")
    func finishes() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let other = try await store.another()
        let (newcomer, question, code) = try await store.asking()
        try await store.approve(question, code, by: alice)
        let codes = try await race(10) { index in
            try await TestStore.code {
                _ = try await newcomer.at(index.isMultiple(of: 2) ? other : store.engine).finish()
            }
        }
        #expect(codes.count { $0 == nil } == 1)
        #expect(codes.allSatisfy { $0 == nil || $0 == .deviceKeyTaken })
        #expect(try await store.engine.deviceList(of: TestStore.user("alice")).devices.count == 2)
        #expect(try await store.engine.sessions(of: alice.session.owner).count == 2)
        let ledger = try await store.loginLedger()
        #expect(ledger.inFlight.isEmpty && ledger.wrong == 0)
        await other.close()
    }

    @Test("Attack D6: of twenty that ask at once for one name three are asked")
    func asks() async throws {
        let store = try await TestStore()
        _ = try await store.person()
        let other = try await store.another()
        for name in ["alice", "nobody"] {
            let codes = try await race(20) { index in
                let newcomer = try await store.newcomer(name, engine: index.isMultiple(of: 2) ? other : nil)
                return try await TestStore.code { _ = try await newcomer.verify() }
            }
            #expect(codes.count { $0 == nil } == 3)
            #expect(codes.count { $0 == .tooManyOpen } == 17)
        }
        #expect(try await store.questions().count == 3)
        await other.close()
    }
}
