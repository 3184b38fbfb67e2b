/// How far the verdicts of a file are written, in the order of its lines.
struct VerificationPlace: Equatable, Sendable {
    /// How many bytes the lines have whose verdicts are written.
    var offset = 0
    /// The verdicts so far: one for each line.
    var tally = Tally()
    /// How many bytes standard output had behind the last of them, where it is a regular file.
    var output = 0
}
