import CTwin
import CountersignVerifier
import Foundation
import Synchronization

/// The lines of a file verified in this process, out of memory, with nothing printed: what the command could reach.
struct SessionRate {
    /// So many lines are verified together; the command takes about as many at once.
    private static let together = 360

    let text: [UInt8]
    let verifier: StatementVerifier

    init(_ directory: URL) throws {
        text = try Array(Data(contentsOf: directory.appending(path: "statements"), options: .alwaysMapped))
        let keys = try Data(contentsOf: directory.appending(path: "keys.json"))
        verifier = StatementVerifier(trust: try TrustStore(Array(keys)))
    }

    /// Verifies all lines; the time of one in nanoseconds, on the wall and of the processors.
    func measure(threads: Int) throws -> (wall: Double, processors: Double) {
        var lines: [Range<Int>] = []
        var start = 0
        for index in text.indices where text[index] == UInt8(ascii: "\n") {
            lines.append(start..<index)
            start = index + 1
        }
        let work = Work(self, lines: lines)
        let (clock, processors) = (ContinuousClock.now, twin_cpu_time())
        let running = (1..<max(1, threads)).map { _ in
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                work.run()
                done.signal()
            }
            return done
        }
        work.run()
        for done in running { done.wait() }
        let wall = ContinuousClock.now - clock
        let used = Double(twin_cpu_time() - processors)
        guard work.valid.load(ordering: .acquiring) == lines.count else { throw Unusable(what: "a statement") }
        let seconds = Double(wall.components.seconds) + Double(wall.components.attoseconds) / 1e18
        return (1e9 * seconds / Double(lines.count), used / Double(lines.count))
    }

    private final class Work: Sendable {
        let rate: SessionRate
        let lines: [Range<Int>]
        let next = Atomic(0)
        let valid = Atomic(0)

        init(_ rate: SessionRate, lines: [Range<Int>]) {
            self.rate = rate
            self.lines = lines
        }

        func run() {
            let session = rate.verifier.makeSession()
            let now = Int64(Date().timeIntervalSince1970)
            while true {
                let first = next.add(SessionRate.together, ordering: .relaxed).oldValue
                guard first < lines.count else { return }
                let some = Array(lines[first..<min(first + SessionRate.together, lines.count)])
                let text = rate.text
                let verdicts = session.verify(some, of: text.span, at: now)
                valid.add(verdicts.count { if case .valid = $0 { true } else { false } }, ordering: .releasing)
            }
        }
    }
}
