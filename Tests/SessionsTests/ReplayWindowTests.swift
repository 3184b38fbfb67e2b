import Dispatch
import Sessions
import Synchronization
import Testing

@Suite("The window of replays")
struct ReplayWindowTests {
    private let minute = NonceSource.bucket
    private let now = ProofDraft.now

    @Test("RFC 9449 section 11.1: a jti counts once for a key")
    func once() {
        let window = ReplayWindow()
        #expect(window.admit(thumbprint: "k", jti: "1", at: now) == .new)
        #expect(window.admit(thumbprint: "k", jti: "1", at: now) == .replayed)
        #expect(window.admit(thumbprint: "k", jti: "2", at: now) == .new)
        #expect(window.admit(thumbprint: "l", jti: "1", at: now) == .new)
        // By bytes: the two spellings of é are two.
        #expect(window.admit(thumbprint: "k", jti: "\u{E9}", at: now) == .new)
        #expect(window.admit(thumbprint: "k", jti: "e\u{301}", at: now) == .new)
    }

    @Test("Attack D10: of fifty who show the same proof at once, one is admitted")
    func concurrency() {
        let window = ReplayWindow()
        for round in 0..<20 {
            let admitted = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 50) { _ in
                if window.admit(thumbprint: "k", jti: "\(round)", at: now) == .new {
                    admitted.add(1, ordering: .relaxed)
                }
            }
            #expect(admitted.load(ordering: .relaxed) == 1)
        }
    }

    @Test("A proof is remembered for as long as its nonce counts")
    func memory() throws {
        for start in [0, 1, minute / 2, minute - 1] {
            for wait in stride(from: 0, to: 2 * minute, by: 7_001) {
                let (window, source) = (ReplayWindow(), try NonceSource())
                let nonce = source.current(at: now + start)
                let used = now + start + wait
                guard source.accepts(nonce, at: used) else { break }
                #expect(window.admit(thumbprint: "k", jti: "1", at: used) == .new)
                var later = used
                while source.accepts(nonce, at: later) {
                    #expect(window.admit(thumbprint: "k", jti: "1", at: later) == .replayed)
                    later += 5_003
                }
                #expect(later > now + minute)
            }
        }
    }

    @Test("After the next period an entry is forgotten, so that memory ends")
    func generations() {
        let window = ReplayWindow()
        #expect(window.admit(thumbprint: "k", jti: "1", at: now) == .new)
        #expect(window.admit(thumbprint: "k", jti: "2", at: now + minute) == .new)
        #expect(window.count == 2)
        #expect(window.admit(thumbprint: "k", jti: "1", at: now + minute) == .replayed)
        #expect(window.admit(thumbprint: "k", jti: "1", at: now + 2 * minute) == .new)
        #expect(window.count == 2)
        #expect(window.admit(thumbprint: "k", jti: "3", at: now + 100 * minute) == .new)
        #expect(window.count == 1)
    }

    @Test("A3: a full window admits nothing, remembers what it has, and is free again later")
    func bound() {
        let window = ReplayWindow(limit: 10)
        for index in 0..<10 { #expect(window.admit(thumbprint: "k", jti: "\(index)", at: now) == .new) }
        for time in [now, now + minute] {
            #expect(window.admit(thumbprint: "k", jti: "new", at: time) == .full)
            #expect(window.admit(thumbprint: "k", jti: "3", at: time) == .replayed)
        }
        #expect(window.count == 10)
        #expect(window.admit(thumbprint: "k", jti: "new", at: now + 2 * minute) == .new)
    }

    @Test("R5: a clock that jumps forgets nothing that it forgot not before")
    func clockBack() {
        let window = ReplayWindow()
        #expect(window.admit(thumbprint: "k", jti: "1", at: now) == .new)
        for time in [now - 1, now - minute, now - 60 * minute, now - 60 * minute + 1] {
            #expect(window.admit(thumbprint: "k", jti: "1", at: time) == .replayed)
        }
    }

    @Test("R5: a clock that stays behind does not fill the window")
    func clockStaysBack() {
        let window = ReplayWindow(limit: 10)
        #expect(window.admit(thumbprint: "k", jti: "late", at: now + 1_000 * minute) == .new)
        for index in 0..<50 {
            #expect(window.admit(thumbprint: "k", jti: "\(index)", at: now + Int64(index) * minute) == .new)
        }
        #expect(window.count == 2)
    }

    @Test("R5: no time traps", arguments: [Int64.min, -1, 0, .max])
    func anyTime(time: Int64) {
        let window = ReplayWindow(limit: 10, period: 0)
        #expect(window.admit(thumbprint: "", jti: "", at: time) == .new)
        #expect(window.admit(thumbprint: "", jti: "", at: time) == .replayed)
        #expect(window.admit(thumbprint: "", jti: "", at: 0) == (time == .min ? .new : .replayed))
    }

    @Test("RFC 7523 section 3: with a longer period an assertion is remembered until it ends")
    func assertions() {
        let window = ReplayWindow(period: ClientAssertion.maxLife)
        for start in [0, 1, 150_000, 299_999] as [Int64] {
            let jti = "\(start)"
            #expect(window.admit(thumbprint: "k", jti: jti, at: now + start) == .new)
            #expect(window.admit(thumbprint: "k", jti: jti, at: now + start + ClientAssertion.maxLife - 1) == .replayed)
        }
    }
}
