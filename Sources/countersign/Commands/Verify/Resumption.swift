import Glibc

/// The file of `verify --resume`, kept up to date while the verdicts are written.
final class Resumption {
    private let path: String
    private let run: ResumableRun
    private let output: Descriptor
    private var last = WallClock.monotonic
    private var hasWarned = false

    /// How many seconds of work a killed run loses.
    private static let interval = 2.0

    init(path: String, run: ResumableRun) {
        self.path = path
        self.run = run
        output = Descriptor(borrowing: STDOUT_FILENO)
    }

    /// What the file says; nil where there is none.
    static func kept(in path: String) throws(Failure) -> ResumePoint? {
        let bytes: [UInt8]?
        do throws(SystemError) {
            let file = try Descriptor.open(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            bytes = try file.status().isRegular ? file.readAll(limit: ResumePoint.maxBytes) : nil
        } catch {
            if error.number == ENOENT { return nil }
            throw Failure(.refusedInput, "cannot read \(path): \(error.text)")
        }
        guard let point = bytes.flatMap(ResumePoint.init) else {
            throw Failure(
                .refusedInput, "\(path) does not say, or no longer says, how far a verification came",
                advice: "Nothing was changed. Give --resume the name of a new file, and begin with a new output.")
        }
        return point
    }

    /// Keeps a place. What is in front of it in the output is on the disk first.
    func keep(_ place: VerificationPlace, _ state: ResumePoint.State) throws(Failure) {
        if !run.output.isEmpty { _ = fdatasync(output.number) }
        let bytes = ResumePoint(run: run, state: state, place: place).bytes
        try AtomicFile.write(bytes.span, to: path, mode: 0o600)
        last = WallClock.monotonic
    }

    /// Keeps a place where it is time to. Where that fails, an earlier place remains, which is also true.
    func keepNowAndThen(_ place: VerificationPlace) {
        guard WallClock.monotonic - last >= Self.interval else { return }
        do throws(Failure) {
            try keep(place, .running)
        } catch {
            last = WallClock.monotonic
            if !hasWarned { Diagnosis.warn("\(error.message); should this be interrupted, more is done again") }
            hasWarned = true
        }
    }

    /// Keeps the last place; returns why that failed.
    func keepLast(_ place: VerificationPlace, _ state: ResumePoint.State) -> Failure? {
        do throws(Failure) {
            try keep(place, state)
            return nil
        } catch {
            return Failure(
                error.status, error.message,
                advice: "Give the same command again: it goes on at the last place that could be kept.")
        }
    }
}
