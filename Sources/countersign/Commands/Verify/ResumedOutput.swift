import Glibc

/// Standard output as `verify --resume` finds it. A regular file is cut to what is known to be right.
struct ResumedOutput {
    /// Which file it is; empty for a pipe or a terminal.
    let identity: String
    private let size: Int
    /// Where the next verdict goes.
    private let end: Int

    /// - Parameter isUsed: false where nothing is printed.
    init(isUsed: Bool) {
        let output = Descriptor(borrowing: STDOUT_FILENO)
        guard isUsed, let status = try? output.status(), status.isRegular, let position = output.position else {
            (identity, size, end) = ("", 0, 0)
            return
        }
        identity = "\(status.identity.device):\(status.identity.inode)"
        size = status.size
        end = fcntl(output.number, F_GETFL) & O_APPEND != 0 ? status.size : position
    }

    /// How far the verdicts are written before the first run.
    var start: VerificationPlace { VerificationPlace(output: end) }

    /// Makes the output as it was at the place that was kept, and returns that place. Nothing that may be of somebody else
    /// is cut.
    func goOn(behind point: ResumePoint) throws(Failure) -> VerificationPlace {
        var place = point.place
        guard !identity.isEmpty, identity == point.run.output else {
            if point.state == .running && !point.run.output.isEmpty {
                throw Failure(
                    .refusedInput,
                    "the verdicts so far are in another file, and its end may have to be cut: the last run was killed",
                    advice: "Give the same file again, by `>>`.")
            }
            place.output = end
            return place
        }
        guard size >= place.output else {
            throw Failure(
                .refusedInput, "standard output has \(size) bytes, fewer than the \(place.output) written so far",
                advice: "Give the whole file again, by `>>`; `>` empties it.")
        }
        guard size == place.output || point.state == .running else {
            throw Failure(
                .refusedInput, "standard output has \(size) bytes, more than the \(place.output) written so far",
                advice: "Take away what was added to it since.")
        }
        do throws(SystemError) {
            let output = Descriptor(borrowing: STDOUT_FILENO)
            if size > place.output { try output.truncate(to: place.output) }
            try output.seek(to: place.output)
        } catch {
            throw Failure(.unavailable, "the output cannot be cut to \(place.output) bytes: \(error.text)")
        }
        return place
    }
}
