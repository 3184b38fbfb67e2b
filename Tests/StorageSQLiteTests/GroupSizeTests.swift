import StorageSQLite
import Testing

@Suite("How many jobs share a commit")
struct GroupSizeTests {
    private let start = ContinuousClock.now

    @Test("One at a time waits for nobody")
    func alone() {
        var size = GroupSize()
        for _ in 0..<100 {
            #expect(size.goal(waiting: 1) <= 1)
            #expect(size.take(of: 1) == 1)
        }
    }

    @Test("Of many that come again as soon as they are answered, half are taken while the others get ready")
    func half() {
        var size = GroupSize()
        #expect(size.take(of: 64) == 32)
        for _ in 0..<100 {
            #expect(size.goal(waiting: 32) == 32)
            #expect(size.take(of: 32) == 32)
        }
    }

    @Test("Those who stay away are forgotten after some thirty groups, and at once where nobody came for a while")
    func forgotten() {
        var size = GroupSize()
        _ = size.take(of: 200)
        _ = size.goal(waiting: 100)
        var later = size
        let groups = (1...100).first { _ in
            let isEnough = size.goal(waiting: 1) <= 1
            _ = size.take(of: 1)
            return isEnough
        }
        #expect(groups.map { $0 < 40 } == true)

        later.end(at: start)
        var soon = later
        soon.begin(at: start + GroupSize.memory)
        #expect(soon.goal(waiting: 1) > 1)
        later.begin(at: start + GroupSize.memory + .nanoseconds(1))
        #expect(later.goal(waiting: 1) <= 1)
    }

    @Test("A group is never empty, never larger than what waits, and has a limit")
    func bounds() {
        var size = GroupSize()
        for waiting in [1, 1_000, 3, 256, 257, 2, 100_000, 1] {
            #expect(size.goal(waiting: waiting) <= GroupSize.largest)
            let count = size.take(of: waiting)
            #expect((1...min(waiting, GroupSize.largest)).contains(count))
        }
    }
}
