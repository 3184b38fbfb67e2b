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

@Suite("New devices that are not the user's")
struct ActivationAttackTests {
    @Test("Attack D2: on probation 146, and not asked at all; blocked, deleted and logged out devices approve nothing")
    func approvers() async throws {
        let store = try await TestStore()
        let (old, blocked, deleted) = (
            try await store.person(device: "old"), try await store.person(device: "blocked"),
            try await store.person(device: "deleted")
        )
        _ = try await store.engine.set(.probationHours, to: "1")
        store.clock.advance(3_600_000)
        let young = try await store.person(device: "young")
        let (newcomer, question, code) = try await store.asking()
        let user = try TestStore.user("alice")
        try await store.engine.block(#require(blocked.session.device), of: user)
        try await store.engine.delete(#require(deleted.session.device), of: user)
        let refusal = try await TestStore.refusal { try await store.approve(question, code, by: young) }
        #expect(refusal == Refusal(.deviceNotAllowed, .probation(until: store.clock.now + 3_600_000)))
        for gone in [blocked, deleted] {
            #expect(try await TestStore.code { try await store.approve(question, code, by: gone) } == .tokenInvalid)
        }
        #expect(try await newcomer.state().status == .waiting)
        // It was not sent there, also where the probation ends meanwhile.
        _ = try await store.engine.set(.probationHours, to: "0")
        #expect(try await TestStore.code { try await store.approve(question, code, by: young) } == .deviceNotAllowed)
        try await store.approve(question, code, by: old)
        #expect(try await newcomer.state().status == .approved)
    }

    @Test("Attacks D2, D4: what a device approved that was blocked since lets nobody in")
    func goneApprover() async throws {
        let store = try await TestStore()
        for event in ["block", "delete", "unblock"] {
            let alice = try await store.person(device: event)
            let (newcomer, question, code) = try await store.asking()
            try await store.approve(question, code, by: alice)
            let (user, device) = (try TestStore.user("alice"), try #require(alice.session.device))
            switch event {
            case "delete": try await store.engine.delete(device, of: user)
            default: try await store.engine.block(device, of: user)
            }
            if event == "unblock" { try await store.engine.unblock(device, of: user) }
            let code2 = try await TestStore.code { _ = try await newcomer.finish() }
            #expect(code2 == (event == "unblock" ? nil : .activationRejected))
            if event == "unblock" { #expect(try await newcomer.state().status == .activated) }
        }
    }

    @Test("Attack D4: approved, then blocked or locked between the password and the commit: nobody comes in")
    func betweenCommits() async throws {
        for isLocked in [true, false] {
            let store = try await TestStore()
            let alice = try await store.person()
            let (newcomer, question, code) = try await store.asking()
            try await store.approve(question, code, by: alice)
            let device = try #require(alice.session.device)
            let (engine, database) = try await store.interruptedAttempt(.login) {
                if isLocked {
                    try await store.engine.lock(TestStore.user("alice"))
                } else {
                    try await store.engine.block(device, of: TestStore.user("alice"))
                }
            }
            let found = try await TestStore.code { _ = try await newcomer.at(engine).finish() }
            #expect(found == (isLocked ? .authenticationFailed : .activationRejected))
            #expect(database.hasHappened)
            #expect(try await store.loginLedger().inFlight.isEmpty)
            #expect(try await store.engine.deviceList(of: TestStore.user("alice")).devices.count == 1)
            await engine.close()
        }
    }

    @Test("Attacks D4, D6: given up while the password is checked: nobody comes in, and no attempt is lost")
    func givenUpMeanwhile() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let (newcomer, question, code) = try await store.asking()
        try await store.approve(question, code, by: alice)
        let (engine, database) = try await store.interruptedAttempt(.login) { try await newcomer.cancel() }
        #expect(try await TestStore.code { _ = try await newcomer.at(engine).finish() } == .cancelled)
        #expect(database.hasHappened)
        #expect(try await store.loginLedger().inFlight.isEmpty)
        #expect(try await store.engine.deviceList(of: TestStore.user("alice")).devices.count == 1)
        await engine.close()
    }

    @Test("Attack D6: a match code that is offered is shown and need not be brought; a wrong one counts all the same")
    func offered() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        #expect(try await !store.engine.set(.matchCode, to: "none"))
        #expect(try await store.engine.set(.matchCode, to: "offered"))
        let (first, question, code) = try await store.asking()
        let shown = try await store.engine.notification(question, as: alice.session.owner).notification.match
        #expect(shown?.mode == .offered && shown?.code.text == code)
        let wrong = code == "00" ? "01" : "00"
        #expect(try await TestStore.code { try await store.approve(question, wrong, by: alice) } == .matchCodeWrong)
        try await store.approve(question, nil, by: alice)
        #expect(try await first.state().status == .approved)
    }

    @Test("Attack D6, S10: a name that is nobody's, a locked user and one who lets nobody in look like any other")
    func alike() async throws {
        let store = try await TestStore()
        for name in ["locked", "closed", "alone"] {
            try await store.engine.addUser(TestStore.user(name), password: TestStore.secret(TestStore.password))
        }
        _ = try await store.person()
        _ = try await store.person("locked")
        let closed = try await store.person("closed")
        try await store.reject(store.asking("closed").question, by: closed, isNotMe: true, blocks: true)
        try await store.engine.lock(TestStore.user("locked"))
        store.clock.advance(3_600_000)
        for name in ["alice", "locked", "closed", "alone", "nobody", nil] {
            var newcomers: [Newcomer] = []
            for _ in 0..<3 {
                let newcomer = try await store.newcomer(name)
                newcomers.append(newcomer)
                let record = try await newcomer.verify()
                #expect(record.status == .waiting && record.expiresIn == 300 && record.methods.count == 2)
                #expect(record.matchCode.flatMap { MatchCode($0) } != nil)
            }
            // Three at once, whoever has the name; what is no name nobody has.
            let fourth = try await store.newcomer(name)
            if let name {
                #expect(try await TestStore.code { _ = try await fourth.verify() } == .tooManyOpen, "\(name)")
            }
            #expect(try await TestStore.code { _ = try await fourth.finish() } == .activationPending)
            for newcomer in newcomers {
                #expect(try await TestStore.code { _ = try await newcomer.finish() } == .activationPending)
            }
            #expect(try await fourth.fallBack().status == .fallback)
        }
        #expect(try await store.questions().count == 3)
        for name in ["locked", "closed", "alone"] { #expect(try await store.questions(name).isEmpty) }
        #expect(try await store.events().count { $0 == "activation-refused" } == 1)
    }

    @Test("Attack D6: ten questions an hour for a name, however they end; then they are asked again")
    func hour() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        for name in ["alice", "nobody"] {
            let start = store.clock.now
            for _ in 0..<10 {
                let newcomer = try await store.newcomer(name)
                _ = try await newcomer.verify()
                if name == "alice" { try await store.reject(#require(store.questions().first), by: alice) }
                try await newcomer.cancel()
                store.clock.advance(1_000)
            }
            let next = try await store.newcomer(name)
            for work in [next.verify, next.fallBack] {
                let refusal = try await TestStore.refusal { try await work() }
                #expect(refusal == Refusal(.tooManyRequests, .retryAfter(seconds: 3_590)))
            }
            store.clock.advance(start + 3_600_000 - store.clock.now)
            #expect(try await store.newcomer(name).verify().status == .waiting)
            store.clock.advance(7_200_000)
        }
        // What is over for an hour is forgotten.
        _ = try await store.newcomer()
        let database = try await store.database()
        let kept = try await database.read {
            try $0.row("SELECT COUNT(*) AS n FROM activation_requests")?.count("n")
        }
        #expect(kept == 1)
        await database.close()
    }

    @Test("Attack D6: `it was not me` is recorded, told to all devices, and blocks until the operator lifts it")
    func notMe() async throws {
        let store = try await TestStore()
        let (phone, laptop) = (try await store.person(), try await store.person(device: "laptop"))
        let (first, question, _) = try await store.asking()
        let (second, other, code) = try await store.asking()
        try await store.approve(other, code, by: laptop)
        let (third, waiting, _) = try await store.asking()
        try await store.reject(question, by: phone, isNotMe: true)
        #expect(try await first.state().status == .rejected)
        #expect(try await second.state().status == .approved)
        #expect(try await third.state().status == .waiting)
        let events = try await store.events()
        #expect(events.contains("activation-disowned") && !events.contains("activations-blocked"))
        let told = try await store.engine.notifications(
            of: TestStore.user("alice"), Period(), RecordRange(startIndex: 1, count: 0)
        ).map(\.notification).first { $0.content.actions.isEmpty && $0.content.searched.contains("tablet") }
        let alert = try #require(told)
        let database = try await store.database()
        for person in [phone, laptop] {
            let device = try #require(person.session.device)
            #expect(
                try await database.read { try NotificationRow.isSent(alert.id.text, to: device.text, on: $0) })
        }
        await database.close()
        // With a block the others are over too, and the next are asked of nobody.
        try await store.reject(waiting, by: phone, isNotMe: true, blocks: true)
        #expect(try await second.state().status == .rejected)
        #expect(try await TestStore.code { _ = try await second.finish() } == .activationRejected)
        #expect(try await store.events().contains("activations-blocked"))
        #expect(try await store.engine.user(TestStore.user("alice"))?.activationsBlockedAt == store.clock.now)
        store.clock.advance(400_000)
        #expect(try await store.newcomer().verify().status == .waiting)
        #expect(try await store.questions().isEmpty)
        try await store.engine.unlock(TestStore.user("alice"))
        #expect(try await store.engine.user(TestStore.user("alice"))?.activationsBlockedAt == nil)
        _ = try await store.newcomer().verify()
        #expect(try await store.questions().count == 1)
    }

    @Test("D6: `it was not me` goes with the rejection of a new device, and a block with that alone")
    func notMeElsewhere() async throws {
        let store = try await TestStore()
        let alice = try await store.person()
        let message = try await store.ask(TestStore.question(level: 0))
        let (_, question, code) = try await store.asking()
        for (id, choice) in [
            (message, NotificationChoice(action: "Reject", isNotMe: true)),
            (question, NotificationChoice(action: "Accept", matchCode: code, isNotMe: true)),
            (question, NotificationChoice(action: "Reject", blocksActivations: true)),
            (message, NotificationChoice(action: "Reject", blocksActivations: true)),
        ] {
            let found = try await TestStore.code {
                _ = try await store.engine.answer(notification: id, as: alice.session, choice)
            }
            #expect(found == .memberValue)
        }
    }
}
