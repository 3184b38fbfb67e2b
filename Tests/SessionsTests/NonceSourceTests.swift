import CountersignKeys
import Sessions
import Testing

@Suite("The server's nonces")
struct NonceSourceTests {
    private let minute = NonceSource.bucket
    private let now = ProofDraft.now

    @Test("RFC 9449 section 8: a nonce counts in its minute and in the next")
    func life() throws {
        let source = try NonceSource()
        let nonce = source.current(at: now)
        #expect(nonce.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil)
        for offset in [0, 1, minute - 1, minute, 2 * minute - 1] {
            #expect(source.accepts(nonce, at: now + offset))
        }
        #expect(source.current(at: now + minute) != nonce)
        #expect(!source.accepts(nonce, at: now + 2 * minute))
        #expect(!source.accepts(nonce, at: now + 1_000 * minute))
    }

    @Test("The same nonce for everybody within a minute")
    func stability() throws {
        let source = try NonceSource()
        let nonces = (0..<60).map { source.current(at: now + $0 * 1_000) }
        #expect(Set(nonces).count == 1)
    }

    @Test("A nonce of another process is unknown")
    func otherProcess() throws {
        let (first, second) = (try NonceSource(), try NonceSource())
        #expect(!second.accepts(first.current(at: now), at: now))
    }

    @Test(
        "What is no nonce is unknown",
        arguments: ["", "a", String(repeating: "A", count: 22), String(repeating: "A", count: 1 << 20), "é", "\u{0}"])
    func foreign(text: String) throws {
        let source = try NonceSource()
        #expect(!source.accepts(text, at: now))
    }

    @Test("Every changed character makes another nonce")
    func mutations() throws {
        let source = try NonceSource()
        let nonce = Array(source.current(at: now).utf8)
        for index in nonce.indices {
            var changed = nonce
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(!source.accepts(String(decoding: changed, as: UTF8.self), at: now))
        }
    }

    @Test("R5: a clock that was set back brings no old nonce back, and new ones count")
    func clockBack() throws {
        let source = try NonceSource()
        let early = source.current(at: now)
        let late = source.current(at: now + 60 * minute)
        #expect(!source.accepts(early, at: now))
        #expect(!source.accepts(late, at: now))
        let new = source.current(at: now)
        #expect(new != early)
        #expect(source.accepts(new, at: now))
        #expect(source.accepts(new, at: now + minute))
    }

    @Test("R5: threads that read the clock in another order do not disturb one another")
    func smallStepBack() throws {
        let source = try NonceSource()
        let before = source.current(at: now - 1)
        let after = source.current(at: now)
        #expect(before != after)
        for _ in 0..<3 {
            #expect(source.current(at: now - 1) == after)
            #expect(source.accepts(before, at: now))
            #expect(source.accepts(after, at: now - 1))
        }
    }

    @Test("R5: no time traps", arguments: [Int64.min, -1, 0, .max])
    func anyTime(time: Int64) throws {
        let source = try NonceSource()
        #expect(source.accepts(source.current(at: time), at: time))
    }
}
