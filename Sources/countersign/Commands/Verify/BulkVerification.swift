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
        var ready: [Int: Verdicts] = [:]
        var isWriting = false
        var place: VerificationPlace
        var running: Int
        /// No further block is taken.
        var isStopped = false
        /// No further block is written.
        var isClosed = false
        var failure: Failure?
    }

    /// What became of a block.
    private struct Verdicts {
        var output: [UInt8] = []
        var tally = Tally()
        /// Where its lines end in the input.
        let end: Int
    }

    private struct Source {
        let reader: LineReader
        var sequence = 0
    }

    private let verifier: StatementVerifier
    private let format: VerdictFormat
    private let name: String
    private let window: Int
    private let size: Int?
    private let flow: Guarded<Flow>
    private let source: Guarded<Source>

    /// - Parameters:
    ///   - lines: where they come from; nobody else may use it.
    ///   - name: what messages call it.
    ///   - place: how far an earlier run came, where the lines begin behind it.
    init(
        _ lines: sending LineReader, name: String, verifier: StatementVerifier, format: VerdictFormat, jobs: Int,
        behind place: VerificationPlace = VerificationPlace()
    ) {
        size = lines.size
        source = Guarded(Source(reader: lines))
        self.verifier = verifier
        self.format = format
        self.name = name
        window = 4 * jobs
        flow = Guarded(Flow(place: place, running: jobs))
    }

    /// Works to the end of the lines. Ctrl-C ends it early, with the verdicts so far printed and counted.
    ///
    /// - Parameter resumption: is told every few seconds, and in the end, how far the verdicts are written.
    func run(keeping resumption: Resumption? = nil) throws(Failure) -> (place: VerificationPlace, signal: Int32?) {
        let (jobs, first) = flow.with { ($0.running, $0.place) }
        let endings = [SIGINT, SIGTERM, SIGHUP]
        _ = Signals.hold(endings)
        let started = (0..<jobs).count { _ in WorkerThread.start { self.work() } }
        flow.change { $0.running -= jobs - started }
        if started == 0 {
            throw Failure(.unavailable, "the system has no thread to give; try `--jobs 1` or later")
        }
        var progress = Progress(
            isShown: format.style == .quiet || !Output().isTerminal, from: (first.tally.count, first.offset), to: size)
        var signal: Int32?
        while flow.wait(atMost: 200, for: { $0.running == 0 ? true : nil }) == nil {
            let place = flow.with { $0.place }
            progress.show(place.tally.count, of: "verified", at: place.offset)
            resumption?.keepNowAndThen(place)
            signal = signal ?? Signals.taken()
            guard signal != nil else { continue }
            flow.change { $0.isStopped = true }
            // A thread may be waiting for input that never comes; what it has not read is not missed.
            _ = flow.wait(atMost: 1000) { $0.running == 0 ? true : nil }
            break
        }
        progress.clear()
        let (place, state, failure) = flow.change { flow in
            flow.isClosed = true
            return (flow.place, Self.state(of: flow), flow.failure)
        }
        let loss = resumption?.keepLast(place, state)
        signal = Signals.release(endings) ?? signal
        if let failure = failure ?? loss { throw failure }
        return (place, signal)
    }

    private static func state(of flow: Flow) -> ResumePoint.State {
        // Part of a block may have been written.
        if flow.isWriting || flow.failure != nil { return .running }
        return flow.isStopped || flow.running > 0 ? .stopped : .done
    }

    private func work() {
        let verification = BlockVerification(verifier, format)
        var block = LineReader.Block()
        while let sequence = take(&block) {
            var verdicts = Verdicts(end: block.end)
            verdicts.output.reserveCapacity(block.bytes.count / 2)
            verdicts.tally = verification.verify(block, &verdicts.output)
            deliver(verdicts, sequence)
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

    /// Leaves a block's verdicts, and writes all that is next in order unless another thread does.
    private func deliver(_ verdicts: Verdicts, _ sequence: Int) {
        let mayWrite = flow.change { flow in
            flow.ready[sequence] = verdicts
            if flow.isWriting { return false }
            flow.isWriting = true
            return true
        }
        guard mayWrite else { return }
        var written: Verdicts?
        while let next = next(after: written) {
            do throws(Failure) {
                try Output.send(next.output.span)
                written = next
            } catch {
                written = nil
                stop(error)
            }
        }
    }

    /// The next block to be written; nil where there is none, and then this thread writes no more.
    private func next(after written: Verdicts?) -> Verdicts? {
        flow.change { flow in
            if let written {
                flow.place.tally.add(written.tally)
                flow.place.offset = written.end
                flow.place.output += written.output.count
            }
            // Nothing is written behind a gap.
            let isOver = flow.failure != nil || flow.isClosed
            let next = isOver ? nil : flow.ready.removeValue(forKey: flow.written)
            if next == nil { flow.isWriting = false } else { flow.written += 1 }
            return next
        }
    }

    private func stop(_ failure: Failure) {
        flow.change { flow in
            flow.isStopped = true
            if flow.failure == nil { flow.failure = failure }
        }
    }
}
