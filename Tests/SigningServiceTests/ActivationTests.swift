import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Devices
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import StorageSQLite
import Testing

@Suite("New devices by the word of others")
struct ActivationTests {
    @Test("A01-A05, A08-A11, C23, C24, O14, O17, O18: options, question, approval, password, a device")
    func story() async throws {
        let store = try await TestStore()
        let phone = try await store.person()
        store.clock.advance(1)
        let laptop = try await store.person(device: "laptop")
        let newcomer = try await store.newcomer(device: "  Alice's tablet ")
        var record = try await newcomer.state()
        #expect(record.status == .offered && record.methods == [.verify, .activationCode] && record.expiresIn == 300)
        #expect(record.matchCode == nil)
        #expect(try await store.questions().isEmpty)
        store.clock.advance(100_000)
        record = try await newcomer.verify()
        #expect(record.status == .waiting && record.expiresIn == 300)
        let code = try #require(record.matchCode)
        let question = try #require(try await store.questions().first)
        let shown = try await store.engine.notification(question, as: phone.session.owner)
        #expect(shown.notification.content.actions.map(\.name) == ["Accept", "Reject"])
        let body = try #require(shown.notification.content.bodies.first)
        #expect(body.labels == ["Accept": "Approve", "Reject": "Reject"])
        #expect(body.message.contains("Alice's tablet") && body.message.contains("192.0.2.7"))
        #expect(shown.notification.expiresAt == store.clock.now + 300_000)
        #expect(shown.origin == .service)
        guard case .activation(let matter) = shown.notification.matter else {
            Issue.record("the question is about something else")
            return
        }
        #expect(matter == ActivationMatter(id: newcomer.id, deviceName: "Alice's tablet", address: "192.0.2.7"))
        store.clock.advance(299_999)
        try await store.approve(question, code, by: laptop)
        record = try await newcomer.state()
        #expect(record.status == .approved && record.expiresIn == 300 && record.matchCode == nil)
        store.clock.advance(299_999)
        let grant = try await newcomer.finish()
        #expect(grant.session.owner == phone.session.owner && grant.session.thumbprint == newcomer.thumbprint)
        let devices = try await store.engine.deviceList(of: TestStore.user("alice")).devices
        #expect(devices.map(\.name) == ["phone", "laptop", "Alice's tablet"])
        #expect(devices.last?.id == grant.session.device && devices.last?.activatedAt == store.clock.now)
        #expect(try await newcomer.state().status == .activated)
        #expect(try await store.isAlive(grant.accessToken))
        #expect(try await store.logIn(newcomer.key).session.device == grant.session.device)
        let events = try await store.events()
        for event in ["activation-asked", "activation-approved", "device-enrolled"] {
            #expect(events.contains(event), "\(event)")
        }
        let enrolled = try await store.engine.audit(.init(event: "device-enrolled"), .first).first?.detail
        let by = try #require(laptop.session.device)
        #expect(enrolled?.hasSuffix("approved by \(by.text)") == true)
        // The others are told.
        let told = try await store.engine.notifications(
            of: TestStore.user("alice"), Period(), RecordRange(startIndex: 1, count: 1))
        #expect(told.first?.notification.content.bodies.first?.subject == "A device was added")
    }

    @Test("A07: asked twice, the same code and one question")
    func twice() async throws {
        let store = try await TestStore()
        _ = try await store.person()
        let newcomer = try await store.newcomer()
        let first = try await newcomer.verify()
        store.clock.advance(1_000)
        let second = try await newcomer.verify()
        #expect(second.matchCode == first.matchCode && second.expiresIn == first.expiresIn - 1)
        #expect(try await store.questions().count == 1)
    }

    @Test("A08, A09, O15: a rejection, a closed question and too many wrong codes end it, and the new device learns it")
    func rejected() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        for round in 0..<4 {
            let (newcomer, question, code) = try await store.asking()
            switch round {
            case 0: try await store.reject(question, by: alice)
            case 1: _ = try await store.engine.dismiss(notification: question, as: alice.session)
            case 2:
                let operation = try await store.logInOperator()
                _ = try await store.engine.dismiss(notification: question, as: operation.session)
            default:
                let wrong = code == "00" ? "01" : "00"
                for _ in 0..<3 {
                    #expect(
                        try await TestStore.code { try await store.approve(question, wrong, by: alice) }
                            == .matchCodeWrong)
                }
                #expect(try await store.state(question).status == .discarded)
            }
            #expect(try await newcomer.state().status == .rejected)
            for work in [newcomer.verify, newcomer.fallBack] {
                #expect(try await TestStore.code { _ = try await work() } == .activationRejected)
            }
            #expect(try await TestStore.code { _ = try await newcomer.finish() } == .activationRejected)
            try await newcomer.cancel()
            #expect(try await newcomer.state().status == .rejected)
            #expect(try await TestStore.code { _ = try await store.logIn(newcomer.key) } == .authenticationFailed)
        }
        #expect(try await store.engine.deviceList(of: TestStore.user("alice")).devices.count == 1)
        #expect(try await store.events().count { $0 == "activation-rejected" } == 4)
    }

    @Test("O18, attack N2: at the very end of its time it is over, at each step")
    func expiry() async throws {
        let store = try await TestStore()
        _ = try await store.engine.set(.activationSeconds, to: "60")
        let alice = try await store.person()
        let offered = try await store.newcomer()
        store.clock.advance(60_000)
        #expect(try await offered.state().status == .expired)
        #expect(try await TestStore.code { _ = try await offered.verify() } == .activationExpired)
        let (waiting, question, code) = try await store.asking()
        store.clock.advance(59_999)
        #expect(try await waiting.state().status == .waiting)
        store.clock.advance(1)
        #expect(try await waiting.state().status == .expired)
        #expect(try await TestStore.code { try await store.approve(question, code, by: alice) } == .notificationExpired)
        #expect(try await store.state(question).status == .expired)
        let (approved, second, right) = try await store.asking()
        try await store.approve(second, right, by: alice)
        store.clock.advance(60_000)
        #expect(try await TestStore.code { _ = try await approved.finish() } == .activationExpired)
        #expect(try await approved.state().status == .expired)
    }

    @Test("A06, A14, O19: given up in any state, twice too; the question is withdrawn")
    func cancelled() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let (waiting, question, code) = try await store.asking()
        for _ in 0..<2 {
            try await waiting.cancel()
            #expect(try await waiting.state().status == .cancelled)
            #expect(try await store.state(question).status == .discarded)
        }
        #expect(
            try await TestStore.code { try await store.approve(question, code, by: alice) } == .notificationProcessed)
        #expect(try await TestStore.code { _ = try await waiting.verify() } == .cancelled)
        // Who begins anew with the same key gives up what was.
        let (first, asked, _) = try await store.asking()
        let again = try await store.newcomer(key: first.key)
        #expect(try await first.state().status == .cancelled)
        #expect(try await store.state(asked).status == .discarded)
        #expect(try await again.state().status == .offered)
        let (approved, third, right) = try await store.asking()
        try await store.approve(third, right, by: alice)
        try await approved.cancel()
        #expect(try await TestStore.code { _ = try await approved.finish() } == .cancelled)
    }

    @Test("A12, A13, A33, O20, C15: a code instead, also while the others are asked, which withdraws the question")
    func fallback() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let (newcomer, question, code) = try await store.asking()
        #expect(try await newcomer.fallBack().status == .fallback)
        #expect(try await newcomer.fallBack().status == .fallback)
        #expect(try await store.state(question).status == .discarded)
        #expect(
            try await TestStore.code { try await store.approve(question, code, by: alice) } == .notificationProcessed)
        for work in [newcomer.verify] {
            #expect(try await TestStore.code { _ = try await work() } == .activationMethodUnavailable)
        }
        #expect(try await TestStore.code { _ = try await newcomer.finish() } == .activationMethodUnavailable)
        #expect(try await store.events().count { $0 == "activation-code-wanted" } == 1)
        let enrolled = try await store.person(key: newcomer.key)
        #expect(try await newcomer.state().status == .activated)
        #expect(enrolled.session.thumbprint == newcomer.thumbprint)
        #expect(try await TestStore.code { _ = try await store.newcomer(key: newcomer.key) } == .deviceKeyTaken)
        // A device that comes in with a code while it waits leaves no question behind (attack D1).
        let (second, asked, right) = try await store.asking()
        let itself = try await store.person(key: second.key)
        #expect(try await store.state(asked).status == .discarded)
        #expect(
            try await TestStore.code { try await store.approve(asked, right, by: itself) } == .deviceNotAllowed)
    }

    @Test("A12, O20: the webhook is told once that somebody's device wants a code, and nothing of nobody's name")
    func codeWanted() async throws {
        let store = try await TestStore()
        #expect(try await store.engine.set(.webhook, to: "https://backend.example/hook"))
        for name in ["alice", "nobody"] {
            let newcomer = try await store.newcomer(name)
            for _ in 0..<2 { _ = try await newcomer.fallBack() }
        }
        let taken = try await store.engine.takeDeliveries(.webhook, limit: 10)
        #expect(taken.map(\.event) == [.activationCodeWanted])
        #expect(try taken.map(\.user) == [TestStore.user("alice")])
    }

    @Test("A03, A33: a way that the service does not have is not offered, and refused")
    func methods() async throws {
        let store = try await TestStore()
        _ = try await store.person()
        for value in ["", "x", "verify,verify", "activation-code,verify", "verify,", "Verify"] {
            #expect(try await !store.engine.set(.activationMethods, to: value))
        }
        #expect(try await store.engine.set(.activationMethods, to: "verify"))
        let newcomer = try await store.newcomer()
        #expect(try await newcomer.state().methods == [.verify])
        #expect(try await TestStore.code { _ = try await newcomer.fallBack() } == .activationMethodUnavailable)
        #expect(try await store.engine.set(.activationMethods, to: "activation-code"))
        #expect(try await newcomer.state().methods == [.activationCode])
        #expect(try await TestStore.code { _ = try await newcomer.verify() } == .activationMethodUnavailable)
        #expect(try await newcomer.fallBack().status == .fallback)
        for value in ["29", "3601", "x"] { #expect(try await !store.engine.set(.activationSeconds, to: value)) }
    }

    @Test("A11, attack S12: a wrong password counts at the door, only once the device is approved")
    func password() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let (newcomer, question, code) = try await store.asking()
        #expect(try await TestStore.code { _ = try await newcomer.finish("wrong") } == .activationPending)
        #expect(try await store.loginLedger().wrong == 0)
        try await store.approve(question, code, by: alice)
        let before = store.hashes
        #expect(try await TestStore.refusal { try await newcomer.finish("wrong") } == Refusal(.authenticationFailed))
        #expect(store.hashes == [before[0] + 1, before[1]])
        #expect(try await store.loginLedger().wrong == 1)
        #expect(try await newcomer.state().status == .approved)
        for _ in 0..<2 {
            #expect(try await TestStore.code { _ = try await newcomer.finish("wrong") } == .authenticationFailed)
        }
        // Blocked: the right one does not count either.
        #expect(try await TestStore.code { _ = try await newcomer.finish() } == .authenticationFailed)
        try await store.engine.unlock(TestStore.user("alice"))
        _ = try await newcomer.finish()
        #expect(try await store.loginLedger().wrong == 0)
    }

    @Test("D9: a key that is a device's already, another's activation, a key of another kind")
    func keys() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        #expect(try await TestStore.code { _ = try await store.newcomer(key: alice.key) } == .deviceKeyTaken)
        try await store.engine.delete(#require(alice.session.device), of: TestStore.user("alice"))
        #expect(try await TestStore.code { _ = try await store.newcomer(key: alice.key) } == .deviceKeyTaken)
        let rsa = try PrivateKey(generating: .rs256)
        #expect(try await TestStore.code { _ = try await store.newcomer(key: rsa) } == .deviceKeyRefused)
        #expect(try await TestStore.code { _ = try await store.newcomer(device: "x") } == .deviceNameTooShort)
        let newcomer = try await store.newcomer()
        let thief = Newcomer(engine: store.engine, key: try PrivateKey(generating: .es256), id: newcomer.id)
        for work in [thief.state, thief.verify, thief.fallBack] {
            #expect(try await TestStore.code { _ = try await work() } == .activationUnknown)
        }
        #expect(try await TestStore.code { try await thief.cancel() } == .activationUnknown)
        #expect(try await TestStore.code { _ = try await thief.finish() } == .activationUnknown)
    }

    @Test("R6: a restored store goes on with no activation")
    func restored() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let (waiting, _, _) = try await store.asking()
        let (approved, question, code) = try await store.asking()
        try await store.approve(question, code, by: alice)
        try await store.engine.beginRestored()
        #expect(try await waiting.state().status.isFinal)
        #expect(try await approved.state().status == .cancelled)
    }
}
