import CountersignVerifier
import Sessions
import Signing
import SigningService
import StorageSQLite
import Synchronization
import Testing
import Wire

/// Statements by keyword.
@Suite("A search among statements")
struct SearchTests {
    /// Signs texts at level 0 for a relying service.
    private func sign(_ payloads: [String], of name: String, for shop: Caller) async throws {
        for payload in payloads {
            let answer = try await shop.ask(
                "POST", "/v1/signings",
                body:
                    #"{"user":"\#(name)","payload":"\#(payload)","reason":"Invoice","authLevel":0,"authenticatorType":0}"#
            )
            #expect(answer.status == 201 || answer.status == 200, "\(answer.text)")
        }
    }

    private func payloads(_ caller: Caller, _ query: String) async throws -> [String] {
        let answer = try await caller.ask("GET", "/v1/statements?\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return try ListMessage<StatementMessage>.parse(Array(answer.body.utf8)).elements.map(\.payload)
    }

    @Test("It walks by pages: each match once, newest first, within the dates, in either case, and nobody else's")
    func walk() async throws {
        try await TestServer.run { server in
            server.clock.stop()
            let (alice, _) = (try await server.person("alice"), try await server.person("bob"))
            let (shop, bank) = (try await server.relyingService("shop"), try await server.relyingService("bank"))
            let start = server.clock.now()
            for number in 0..<12 {
                server.clock.set(Int64(number) * 1_000)
                let text = number.isMultiple(of: 3) ? "Pay \(number) EUR" : "Überweisung \(number)"
                try await sign([text], of: "alice", for: shop)
            }
            server.clock.set(12_000)
            try await sign(["überweisung of bob"], of: "bob", for: shop)
            server.clock.set(13_000)
            try await sign(["überweisung at the bank"], of: "alice", for: bank)
            let found = [11, 10, 8, 7, 5, 4, 2, 1].map { "Überweisung \($0)" }
            var walked: [String] = []
            while true {
                let page = try await payloads(
                    shop, "keyword=%C3%9CBERWEISUNG&user=alice&count=3&startIndex=\(walked.count + 1)")
                walked += page
                #expect(page.count <= 3)
                if page.isEmpty { break }
            }
            #expect(walked == found)
            let own = try await payloads(alice, "keyword=%C3%BCberweisung")
            #expect(own == ["überweisung at the bank"] + found)
            let dates = "since=\(start + 4_000)&until=\(start + 8_000)"
            #expect(
                try await payloads(shop, "keyword=berw&\(dates)")
                    == found.filter { $0.hasSuffix("4") || $0.hasSuffix("5") || $0.hasSuffix("7") })
            #expect(try await payloads(shop, "keyword=invoice&count=1000").count == 13, "the reason too")
            for none in ["keyword=%25", "keyword=_", "keyword=nothing", "keyword=berw&startIndex=1000"] {
                #expect(try await payloads(shop, none).isEmpty, "\(none)")
            }
            for bad in ["count=0", "count=1001", "startIndex=0", "count=-1", "startIndex=x"] {
                let answer = try await shop.ask("GET", "/v1/statements?keyword=berw&\(bad)")
                #expect(answer.status == 400 && answer.number("code") == 1850, "\(bad): \(answer.text)")
            }
        }
    }

    @Test(
        "attack D6: one search at a time, few wait, who comes then is refused; whoever does not search is not held up")
    func oneAtATime() async throws {
        let gates = Mutex<[GatedSearches]>([])
        try await TestServer.run(
            wrapping: { base in
                let gate = GatedSearches(base)
                gates.withLock { $0.append(gate) }
                return gate
            },
            { server in
                let gate = try #require(gates.withLock { $0.last })
                _ = try await server.person("alice")
                let shop = try await server.relyingService("shop")
                try await sign(["Pay 5.00 EUR"], of: "alice", for: shop)
                try await withThrowingTaskGroup(of: Answer.self) { group in
                    for number in 0..<12 {
                        let path =
                            number.isMultiple(of: 2)
                            ? "/v1/statements?keyword=eur" : "/v1/statements?keyword=pay&count=1"
                        group.addTask { try await shop.ask("GET", path) }
                    }
                    // One of them reads and eight wait, until the gate is opened: so the first three answers are those of the others.
                    for _ in 0..<3 {
                        let answer = try #require(try await group.next())
                        #expect(answer.status == 503 && answer.number("code") == 1812, "\(answer.text)")
                        #expect(answer.field("Retry-After") != nil)
                    }
                    #expect(gate.searches.count == 1)
                    #expect(try await shop.ask("GET", "/v1/statements?count=1").status == 200)
                    gate.open()
                    for try await answer in group {
                        #expect(answer.status == 200 && answer.body.contains("Pay 5.00 EUR"), "\(answer.text)")
                    }
                }
                #expect(gate.searches == (9, 1))
                #expect(try await shop.ask("GET", "/v1/statements?keyword=eur").status == 200)
            })
    }
}
