import CountersignVerifier
import Glibc

/// Verifies many lines on several threads and prints their verdicts in the order of the lines.
///
/// Each thread takes a block of lines, verifies it with a session of its own and leaves the printed text; whoever finds
/// that the next block's text is there writes it. No thread gets further ahead of the output than `window` blocks, so
/// memory stays the same for any number of lines.
final class BulkVerification: Sendable {
    private struct Flow {
        var taken = 0
        var written = 0
        var ready: [Int: [UInt8]] = [:]
        var isWriting = false
        var tally = Tally()
        var running = 0
        var isStopped = false
        var failure: Failure?
    }

    private struct Source {
        let reader: LineReader
        var sequence = 0
    }

    private let verifier: StatementVerifier
    private let format: VerdictFormat
    private let name: String
    private let window: Int
    private let flow = Guarded(Flow())
    private let source: Guarded<Source>

    /// - Parameters:
    ///   - lines: where they come from; nobody else may use it.
    ///   - name: what messages call it.
    init(
        _ lines: sending LineReader, name: String, verifier: StatementVerifier, format: VerdictFormat, jobs: Int
    ) {
        source = Guarded(Source(reader: lines))
        self.verifier = verifier
        self.format = format
        self.name = name
        window = 4 * jobs
        flow.with { $0.running = jobs }
    }

    /// Works to the end of the lines. Ctrl-C ends it early, with the verdicts so far printed and counted.
    func run() throws(Failure) -> (tally: Tally, signal: Int32?) {
        let jobs = flow.with { $0.running }
        let endings = [SIGINT, SIGTERM]
        _ = Signals.hold(endings)
        let started = (0..<jobs).count { _ in WorkerThread.start { self.work() } }
        flow.change { $0.running -= jobs - started }
        if started == 0 {
            throw Failure(.unavailable, "the system has no thread to give; try `--jobs 1` or later")
        }
        var progress = Progress(isShown: format.style == .quiet || !Output().isTerminal)
        var signal: Int32?
        while flow.wait(atMost: 200, for: { $0.running == 0 ? true : nil }) == nil {
            progress.show(flow.with { $0.tally.count }, of: "verified")
            signal = signal ?? Signals.taken()
            guard signal != nil else { continue }
            flow.change { $0.isStopped = true }
            // A thread may be waiting for input that never comes; what it has not read is not missed.
            _ = flow.wait(atMost: 1000) { $0.running == 0 ? true : nil }
            break
        }
        progress.clear()
        signal = Signals.release(endings) ?? signal
        let (tally, failure) = flow.with { ($0.tally, $0.failure) }
        if let failure { throw failure }
        return (tally, signal)
    }

    private func work() {
        let session = verifier.makeSession()
        var block = LineReader.Block()
        while let sequence = take(&block) {
            var output: [UInt8] = []
            output.reserveCapacity(block.bytes.count / 2)
            let tally = verify(block, session, &output)
            deliver(output, tally, sequence)
        }
        flow.change { $0.running -= 1 }
    }

    /// The next block, and its place in the order; nil when there is none or the work has ended.
    private func take(_ block: inout LineReader.Block) -> Int? {
        let mayGoOn = flow.wait { flow -> Bool? in
            if flow.isStopped { return false }
            return flow.taken - flow.written < window ? true : nil
        }
        guard mayGoOn else { return nil }
        var problem: SystemError?
        let sequence = source.with { source -> Int? in
            do throws(SystemError) {
                guard try source.reader.next(&block) else { return nil }
            } catch {
                problem = error
                return nil
            }
            source.sequence += 1
            return source.sequence - 1
        }
        if let problem { stop(Failure(.refusedInput, "cannot read \(name): \(problem.text)")) }
        if sequence != nil { flow.with { $0.taken += 1 } }
        return sequence
    }

    private func verify(
        _ block: LineReader.Block, _ session: VerificationSession, _ output: inout [UInt8]
    ) -> Tally {
        var tally = Tally()
        let now = WallClock.seconds
        let bytes = block.bytes.span
        if block.isTooLong {
            let verdict = TextVerdict.statement(.invalid(.tooLong))
            tally.add(verdict)
            format.append(verdict, line: block.firstLine, to: &output)
            return tally
        }
        var start = 0
        var line = block.firstLine
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") || index == bytes.count - 1 {
            let end = bytes[index] == UInt8(ascii: "\n") ? index : index + 1
            let verdict = session.verdict(on: bytes.extracting(start..<end), at: now)
            tally.add(verdict)
            format.append(verdict, line: line, to: &output)
            start = index + 1
            line += 1
        }
        return tally
    }

    /// Leaves a block's text, and writes all that is next in order unless another thread does.
    private func deliver(_ output: [UInt8], _ tally: Tally, _ sequence: Int) {
        let mayWrite = flow.change { flow in
            flow.ready[sequence] = output
            flow.tally.add(tally)
            if flow.isWriting { return false }
            flow.isWriting = true
            return true
        }
        while mayWrite {
            let next = flow.change { flow -> [UInt8]? in
                // Nothing is written behind a gap.
                let next = flow.failure == nil ? flow.ready.removeValue(forKey: flow.written) : nil
                if next == nil { flow.isWriting = false } else { flow.written += 1 }
                return next
            }
            guard let next else { return }
            do throws(Failure) { try Output.send(next.span) } catch { stop(error) }
        }
    }

    private func stop(_ failure: Failure) {
        flow.change { flow in
            flow.isStopped = true
            if flow.failure == nil { flow.failure = failure }
        }
    }
}
