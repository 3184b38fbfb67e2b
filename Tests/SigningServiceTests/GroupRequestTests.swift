import CountersignVerifier
import Notifications
import Sessions
import Signing
import SigningService
import Storage
import Testing

@Suite("Signing requests to several persons")
struct GroupRequestTests {
    private static let names = ["alice", "bob", "carol"]

    private func code(_ body: () async throws -> Void) async throws -> Refusal.Code? { try await TestStore.code(body) }

    private func board(_ store: TestStore, _ names: [String] = names) async throws -> GroupName {
        let name = try #require(GroupName("board"))
        _ = try await store.engine.addGroup(name, members: names.map { try TestStore.user($0) })
        return name
    }

    @Test("Two of three: the statements are a bundle that verifies as one; the third is not asked any more")
    func bundle() async throws {
        let store = try await TestStore()
        let people = try await store.people(Self.names)
        let (shop, group) = (try await store.shop(), try await board(store))
        let made = try await store.engine.ask(TestStore.request(.group(group, required: 2)), as: shop)
        let id = made.request.matter.id
        for name in Self.names {
            let matter = try await store.question(of: id, to: name).notification.matter
            #expect(matter == .request(made.request.matter))
        }
        let open = try await store.question(of: id, to: "bob").notification.id
        try await store.accept(id, #require(people["carol"]), "carol")
        let half = try await store.engine.request(id, as: shop)
        #expect(half.request.state == .pending && half.request.signed == 1 && half.outcome == nil)
        try await store.accept(id, #require(people["alice"]))
        let record = try await store.engine.request(id, as: shop)
        #expect(record.request.state == .done(at: store.clock.now) && record.group == "board")
        guard case .bundle(let text)? = record.outcome else {
            Issue.record("no bundle")
            return
        }
        let bundle = try UnverifiedBundle(text.span)
        #expect(bundle.statements.count == 2)
        var policy = Policy()
        policy.audience = .exactly("shop")
        let verifier = StatementVerifier(trust: try await store.engine.trust(), policy: policy)
        let verdict = verifier.verifyBundle(text, at: store.clock.now / 1000)
        #expect(verdict.code == "valid")
        let claims = try UnverifiedStatement(Array(bundle.statements[0].utf8).span).claims
        #expect(claims.reserved.quorum == Quorum(required: 2, of: 3) && claims.reserved[.request] == id.text)
        #expect(try await store.state(open).status == .discarded)
        #expect(
            try await code {
                _ = try await store.engine.answer(
                    notification: open, as: #require(people["bob"]).session, action: "Accept")
            } == .notificationProcessed)
        #expect(try await store.engine.status().statements == 2)
    }

    @Test("One may decline, the second is the end, and what was signed stays what it is")
    func declined() async throws {
        let store = try await TestStore()
        let people = try await store.people(Self.names)
        let shop = try await store.shop()
        let users = try Self.names.map { try TestStore.user($0) }
        let id = try await store.engine.ask(TestStore.request(.several(users, required: 2)), as: shop).request.matter.id
        try await store.decline(id, #require(people["bob"]), "bob")
        #expect(try await store.engine.request(id, as: shop).request.state == .pending)
        try await store.accept(id, #require(people["carol"]), "carol")
        try await store.decline(id, #require(people["alice"]))
        let record = try await store.engine.request(id, as: shop)
        #expect(record.request.state == .declined(at: store.clock.now) && record.outcome == nil)
        #expect(record.request.signed == 1 && record.request.declined == 2)
    }

    @Test("The one on whose behalf is asked is never asked; with too few others nobody is")
    func requester() async throws {
        let store = try await TestStore()
        _ = try await store.people(Self.names)
        let (shop, group) = (try await store.shop(), try await board(store))
        let draft = try TestStore.request(.group(group, required: 2), requester: "bob")
        let made = try await store.engine.ask(draft, as: shop)
        #expect(made.request.persons.keys.sorted().map(\.text) == ["alice", "carol"])
        #expect(made.request.matter.quorum == Quorum(required: 2, of: 2))
        #expect(try await store.inbox("bob").isEmpty)
        #expect(
            try await code {
                _ = try await store.engine.ask(
                    TestStore.request(.group(group, required: 3), requester: "bob"), as: shop)
            } == .requestTermsMalformed)
        #expect(
            try await code { _ = try await store.engine.ask(TestStore.request(requester: "alice"), as: shop) }
                == .requestTermsMalformed)
    }

    @Test("A group is made, changed and removed by name; what was asked of it goes on with those who were asked")
    func groups() async throws {
        let store = try await TestStore()
        let people = try await store.people(Self.names)
        let (shop, group) = (try await store.shop(), try await board(store, ["alice", "bob"]))
        let id = try await store.engine.ask(TestStore.request(.group(group, required: 1)), as: shop).request.matter.id
        let carol = try TestStore.user("carol")
        #expect(try await store.engine.setGroup(group, members: [carol]).members == ["carol"])
        #expect(try await store.engine.groups().map(\.name) == [group])
        #expect(try await code { _ = try await store.engine.addGroup(group, members: [carol]) } == .groupExists)
        #expect(try await code { _ = try await store.engine.setGroup(group, members: []) } == .groupMalformed)
        #expect(
            try await code { _ = try await store.engine.setGroup(group, members: [carol, carol]) } == .groupMalformed)
        #expect(
            try await code { _ = try await store.engine.setGroup(group, members: [TestStore.user("nobody")]) }
                == .userUnknown)
        try await store.engine.deleteGroup(group)
        #expect(try await code { try await store.engine.deleteGroup(group) } == .groupUnknown)
        try await store.accept(id, #require(people["alice"]))
        guard case .bundle? = try await store.engine.request(id, as: shop).outcome else {
            Issue.record("no bundle")
            return
        }
    }

    @Test(
        "A list or a group of one is asked like any other: 1/1, and a bundle; a person by name without a quorum, and a statement",
        arguments: ["list", "group", "group without the requester", "person"])
    func ofOne(audience: String) async throws {
        let store = try await TestStore()
        let alice = try #require(try await store.people(Self.names)["alice"])
        let (shop, user) = (try await store.shop(), try TestStore.user("alice"))
        let persons: RequestDraft.Persons =
            switch audience {
            case "list": .several([user], required: nil)
            case "group": .group(try await board(store, ["alice"]), required: 1)
            case "person": .person(user)
            default: .group(try await board(store, ["alice", "bob"]), required: nil)
            }
        let isPerson = audience == "person"
        let made = try await store.engine.ask(TestStore.request(persons, requester: isPerson ? nil : "bob"), as: shop)
        #expect(made.request.persons.keys.map(\.text) == ["alice"] && made.request.required == 1)
        #expect(made.request.matter.quorum?.description == (isPerson ? nil : "1/1"))
        let result = try await store.accept(made.request.matter.id, alice)
        let claims = try UnverifiedStatement(Array(result.statement.utf8).span).claims
        #expect(claims.reserved.quorum == made.request.matter.quorum)
        let outcome = try await store.engine.request(made.request.matter.id, as: shop).outcome
        var policy = Policy()
        policy.audience = .exactly("shop")
        let verifier = StatementVerifier(trust: try await store.engine.trust(), policy: policy)
        // The one statement is the whole decision: alone it is valid, too.
        #expect(verifier.verify(Array(result.statement.utf8), at: store.clock.now / 1000).code == "valid")
        switch outcome {
        case .statement(let kept)?: #expect(isPerson && kept.statement == result.statement)
        case .bundle(let text)?:
            #expect(!isPerson && verifier.verifyBundle(text, at: store.clock.now / 1000).code == "valid")
            #expect(try UnverifiedBundle(text.span).statements == [result.statement])
        case nil: Issue.record("nothing came of it")
        }
    }

    @Test("Expiry is told by whoever looks first, and the questions to all end with it")
    func expires() async throws {
        let store = try await TestStore()
        let people = try await store.people(Self.names)
        let shop = try await store.shop()
        let users = try Self.names.map { try TestStore.user($0) }
        let made = try await store.engine.ask(TestStore.request(.several(users, required: 2), life: 10_000), as: shop)
        try await store.accept(made.request.matter.id, #require(people["bob"]), "bob")
        store.clock.advance(10_000)
        #expect(try await store.history().count == 1)
        #expect(try await store.history(HistoryFilter(), "carol").count == 1)
        #expect(
            try await store.engine.request(made.request.matter.id, as: shop).request.state
                == .expired(at: made.request.expiresAt))
        #expect(try await store.events().count { $0 == "request-expired" } == 1)
    }
}
