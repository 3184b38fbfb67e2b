import ArgumentParser
import CountersignVerifier
import Signing

/// Several payloads that are signed at once: the lines of a file.
struct BatchOptions: ParsableArguments {
    @Option(
        name: .customLong("batch"),
        help: ArgumentHelp(
            "A file with a payload on each line, all signed at once; - is standard input.", valueName: "file"),
        completion: .file())
    var input: String?

    @Flag(help: "Each line of the batch begins with a reference of the caller's own, and a tab.")
    var references = false

    @Flag(help: "Show all payloads of a batch before the password is asked for, however many.")
    var showAll = false

    /// Whether any of it is given.
    var isGiven: Bool { input != nil || references || showAll }

    func validate() throws {
        if input == nil && isGiven { throw ValidationError("--references and --show-all go with --batch") }
    }

    /// More than any batch may have, so that the refusal can say what is wrong.
    private static let limit = 4 * Batch.maxBytes

    /// The lines, in their order. Their bytes are taken as they are; only the line feed at their end is not part of them.
    func drafts(from source: InputSource) throws(Failure) -> [Batch.Draft] {
        let bytes = try source.bytes(limit: Self.limit, what: "batch")
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        var drafts: [Batch.Draft] = []
        for (index, line) in lines.enumerated() {
            guard references else {
                drafts.append(Batch.Draft(payload: Array(line)))
                continue
            }
            guard let tab = line.firstIndex(of: UInt8(ascii: "\t")),
                let reference = String(validating: line[..<tab], as: UTF8.self)
            else {
                throw Failure(.refusedInput, "line \(index + 1) of the batch does not begin with a reference and a tab")
            }
            drafts.append(Batch.Draft(payload: Array(line[(tab + 1)...]), reference: reference))
        }
        return drafts
    }
}
