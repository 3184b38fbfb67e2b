import CountersignVerifier

/// `verify --resume`: the verdicts of a file's lines, each once, however often the run is interrupted.
///
/// The file that is kept says how far they are written. It is there before the first of them, so that a killed run is known
/// as one; and it stays when the last is written, so that one command more does nothing.
struct ResumableVerification {
    let verifier: StatementVerifier
    let format: VerdictFormat
    let jobs: Int
    /// The file that is kept.
    let path: String
    /// The digest of the trusted keys.
    let trust: String
    /// The digest of what is asked of the statements, and of the verdicts' form.
    let options: String

    /// Goes on where the last run came to. Returns all verdicts so far, those of this run, and what ended it early.
    func verify(_ file: String) throws(Failure) -> (tally: Tally, count: Int, signal: Int32?) {
        let input = try ResumableInput.open(file)
        let output = ResumedOutput(isUsed: format.style != .quiet)
        let run = ResumableRun(input: input.identity, trust: trust, options: options, output: output.identity)
        let kept = try Resumption.kept(in: path)
        if let kept { try refuse(kept.run, unlike: run, file) }
        if let kept, kept.state == .done {
            Diagnosis.say("\(path) says that all was done; delete it to begin anew")
            return (kept.place.tally, 0, nil)
        }
        guard let lines = try input.lines(behind: kept?.place ?? VerificationPlace()) else {
            throw Failure(.refusedInput, "\(path) names a place that \(file) does not have")
        }
        let place = try kept.map { point throws(Failure) in try goOn(behind: point, output) } ?? output.start
        let resumption = Resumption(path: path, run: run)
        try resumption.keep(place, .running)
        let bulk = BulkVerification(
            lines, name: file, verifier: verifier, format: format, jobs: jobs, behind: place)
        do throws(Failure) {
            let (end, signal) = try bulk.run(keeping: resumption)
            return (end.tally, end.tally.count - place.tally.count, signal)
        } catch {
            throw Failure(
                error.status, error.message, advice: "When that is mended, give the same command again: it goes on.")
        }
    }

    private func goOn(behind point: ResumePoint, _ output: ResumedOutput) throws(Failure) -> VerificationPlace {
        let place = try output.goOn(behind: point)
        let line = Figures.grouped(place.tally.count + 1)
        if point.state == .running && point.run.output.isEmpty && format.style != .quiet {
            Diagnosis.warn("the last run was killed: verdicts from line \(line) on may have been printed before")
        }
        Diagnosis.say("going on with line \(line)")
        return place
    }

    private func refuse(_ kept: ResumableRun, unlike run: ResumableRun, _ file: String) throws(Failure) {
        let difference: String
        if kept.input != run.input {
            difference = "\(file) is another file than the one of the beginning, or was changed since"
        } else if kept.trust != run.trust {
            difference = "the trusted keys are others than those of the beginning"
        } else if kept.options != run.options {
            difference = "the policy or the form of the verdicts is another than in the beginning"
        } else {
            return
        }
        throw Failure(
            .refusedInput, "\(path) belongs to another run: \(difference)",
            advice: "Nothing was changed. Give it as it was, or --resume the name of a new file.")
    }
}
