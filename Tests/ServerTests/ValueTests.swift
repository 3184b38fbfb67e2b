import Logging
import Server
import Signing
import Testing

/// Addresses, origins, paths, buckets.
struct ValueTests {
    @Test("attack A8: addresses and blocks are read strictly")
    func addresses() throws {
        for text in [
            "127.0.0.1", "10.0.0.255", "::1", "[::1]", "2001:db8::ff00:42:8329", "::ffff:192.0.2.1", "1:2:3:4:5:6:7:8",
        ] {
            #expect(IPAddress(text) != nil, "\(text)")
        }
        for text in [
            "", "1.2.3", "1.2.3.256", "01.2.3.4", "1.2.3.4.5", ":", ":::", "1::2::3", "12345::", "[1.2.3.4]", "::1%lo",
            "1:2:3:4:5:6:7",
        ] {
            #expect(IPAddress(text) == nil, "\(text)")
        }
        #expect(IPAddress("::ffff:192.0.2.1") == IPAddress("192.0.2.1"))
        #expect(IPAddress("2001:db8:1:2:3::4")?.network == IPAddress("2001:db8:1:2::"))
        #expect(IPAddress("127.9.9.9")?.isLoopback == true && IPAddress("128.0.0.1")?.isLoopback == false)
        let block = try #require(AddressBlock("10.1.0.0/15"))
        #expect(try block.contains(#require(IPAddress("10.0.255.255"))))
        #expect(try !block.contains(#require(IPAddress("10.2.0.0"))))
        for text in ["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/08", "10.0.0.0/8/8", "x/8"] {
            #expect(AddressBlock(text) == nil)
        }
    }

    @Test("an origin has one spelling")
    func origins() {
        for text in ["https://sign.example", "http://127.0.0.1:8177", "https://[::1]:8443", "https://a-b.example:444"] {
            #expect(Origin(text)?.text == text)
        }
        for text in [
            "https://sign.example/", "https://sign.example:443", "http://x:80", "HTTPS://x", "https://X", "ftp://x",
            "https://",
            "https://x:0", "https://x:99999", "https://u@x", "https://x?y", "https://-x", "https://x..y",
        ] { #expect(Origin(text) == nil, "\(text)") }
    }

    @Test("RFC 9112 section 3.2: Host is a host and perhaps a port")
    func authorities() {
        for text in ["a", "sign.example:8443", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:8177", "a_b.C", "a:"] {
            #expect(Authority.isWellFormed(text), "\(text)")
        }
        for text in [
            "", ":80", "a, b", "a,b", "u@a", "a/b", "a b", "a:b", "a:80:80", "a:123456", "[::1", "[]", "[a]", "[::1]a",
            "é",
            "a\u{301}", "a%00", "http://a", "::1",
        ] { #expect(!Authority.isWellFormed(text), "\(text)") }
    }

    @Test("attack A7: what is routed is what was written, but for the one sign that clients escape")
    func paths() {
        #expect(RequestPath("/v1/users/a@b?x=1")?.text == "/v1/users/a@b")
        #expect(RequestPath("/v1/users/a%40b")?.text == "/v1/users/a@b")
        #expect(RequestPath("/v1/users/a%40b")?.written == "/v1/users/a%40b")
        for path in [
            "", "v1", "/", "//", "/a//b", "/a/", "/.", "/..", "/a/./b", "/a%2540b", "/é", "/a b", "http://x/a", "*",
        ] {
            #expect(RequestPath(path) == nil, "\(path)")
        }
    }

    @Test("no address has all places for heavy work while another waits, and none fills the queue")
    func workPlaces() async throws {
        let limit = WorkLimit(running: 2, waiting: 4, share: 3)
        let (one, other) = (try #require(IPAddress("192.0.2.1")), try #require(IPAddress("192.0.2.2")))
        let order = LogLines()
        let (gates, gate) = AsyncStream<Void>.makeStream()
        let start = { @Sendable (name: String, network: IPAddress) in
            Task<Void, any Error> {
                try await limit.run(from: network) {
                    order.add(name)
                    for await _ in gates { break }
                }
            }
        }
        var tasks: [Task<Void, any Error>] = []
        for (name, network, count) in [
            ("a", one, 1), ("b", one, 2), ("c", one, 3), ("d", one, 4), ("e", one, 5), ("f", other, 6),
        ] {
            tasks.append(start(name, network))
            while order.text.split(separator: "\n").count + limit.queueLength < count { await Task.yield() }
            guard name == "e" else { continue }
            await #expect(throws: Refusal.self) { try await limit.run(from: one) {} }
        }
        await #expect(throws: Refusal.self) { try await limit.run(from: other) {} }
        gate.yield()
        while order.text.split(separator: "\n").count < 3 { await Task.yield() }
        #expect(order.text == "a\nb\nf")
        gate.finish()
        for task in tasks { try await task.value }
        #expect(limit.queueLength == 0)
    }

    @Test("a bucket gives what it holds, fills up again, and does not follow a clock that jumps back")
    func buckets() {
        let buckets = TokenBuckets<String>(perMinute: 60, burst: 2, capacity: 3)
        #expect(buckets.take(of: "a", at: 0) == nil)
        #expect(buckets.take(of: "a", at: 0) == nil)
        #expect(buckets.take(of: "a", at: 0) == 1)
        #expect(buckets.take(of: "b", at: 0) == nil)
        #expect(buckets.take(of: "a", at: -100_000) == 1)
        #expect(buckets.take(of: "a", at: 1_000) == nil)
        for number in 0..<100 { _ = buckets.take(of: "c\(number)", at: 0) }
        #expect(buckets.count <= 3)
        let open = TokenBuckets<String>(perMinute: 0, burst: 1)
        #expect((0..<100).allSatisfy { _ in open.take(of: "a", at: 0) == nil })
    }

    @Test("names of answered requests are remembered for a generation at least, and for two at most")
    func recentNames() {
        let names = RecentNames(limit: 2)
        #expect(!names.contains("a"))
        for name in ["a", "b", "b"] { names.add(name) }
        #expect(names.contains("a") && names.contains("b") && !names.contains("c"))
        names.add("c")
        #expect(["a", "b", "c"].allSatisfy { names.contains($0) })
        for name in ["d", "e"] { names.add(name) }
        #expect(["c", "d", "e"].allSatisfy { names.contains($0) })
        #expect(!names.contains("a") && !names.contains("b"))
    }

    @Test("attack L1: who has gone is no error of the service; what failed in it is, without a value")
    func faults() {
        let lines = LogLines()
        let logger = Logger(label: "test") { _ in LogKeeper(lines: lines) }
        logger.record(Refusal(.tokenMissing), requestID: "one", route: "/v1/keys")
        #expect(lines.text.isEmpty)
        logger.record(CancellationError(), requestID: "two", route: "/v1/keys")
        #expect(lines.text.hasPrefix("debug request cancelled") && lines.text.contains("two"))
        logger.record(Leak(secret: "canary"), requestID: "three", route: "/v1/keys")
        let last = lines.text.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix("error request failed") && last.contains("Leak") && !last.contains("canary"))
    }

    /// An error that holds what nobody may read.
    private struct Leak: Error { let secret: String }
}
