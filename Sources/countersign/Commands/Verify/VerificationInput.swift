/// What one name on the command line holds: a statement, result or bundle, or lines of them.
enum VerificationInput {
    /// The whole text is one statement, JSON result or bundle.
    case one([UInt8])
    /// One on each line.
    case many(LineReader)

    /// Opens the source and looks at its beginning.
    ///
    /// It is many when `lines` says so, when it has more than one line, and when it is longer than a bundle can be.
    /// The exception is JSON: an object whose first line does not end it was printed over several lines.
    init(_ source: InputSource, lines: Bool) throws(Failure) {
        if case .argument(let text) = source {
            self = .one(Array(text.utf8))
            return
        }
        do throws(SystemError) {
            let file = try source.open()
            if file.isTerminal { Diagnosis.say("reading statements from the terminal; Ctrl-D ends it") }
            var start: [UInt8] = []
            var isAtEnd = false
            while !lines && !isAtEnd && !Self.hasSecondLine(start) && start.count < LineReader.blockSize {
                isAtEnd = try !file.append(to: &start, upTo: LineReader.blockSize)
            }
            self =
                isAtEnd && !Self.hasSecondLine(start)
                ? .one(start) : .many(LineReader(file, after: start, isAtEnd: isAtEnd))
        } catch {
            throw Failure(.refusedInput, "cannot read \(source.name): \(error.text)")
        }
    }

    private static func hasSecondLine(_ bytes: [UInt8]) -> Bool {
        guard let newline = bytes.firstIndex(of: UInt8(ascii: "\n")), newline + 1 < bytes.count else { return false }
        let isOpenObject = bytes[0] == UInt8(ascii: "{") && (newline == 0 || bytes[newline - 1] != UInt8(ascii: "}"))
        return !isOpenObject
    }
}
