import CountersignVerifier

/// Statements from several files, and where each came from.
struct CollectedStatements {
    private var texts: [String] = []
    private var origins: [String] = []

    /// Adds what a file holds: a statement, a JSON result, or one of them on each line.
    mutating func add(_ source: InputSource) throws(Failure) {
        switch try VerificationInput(source, lines: false) {
        case .one(let text): try add(text, from: source.name)
        case .many(let lines):
            var block = LineReader.Block()
            while try next(&block, of: lines, source) {
                var line = block.firstLine
                if block.isTooLong { throw Self.refusal(InvalidReason.tooLong, "\(source.name):\(line)") }
                if block.bytes.last == UInt8(ascii: "\n") { block.bytes.removeLast() }
                for text in block.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
                    try add(Array(text), from: "\(source.name):\(line)")
                    line += 1
                }
            }
        }
    }

    /// The bundle of all.
    func bundle(with keys: BundleKeys) throws(Failure) -> UnverifiedBundle {
        do throws(BundleFault) {
            return try UnverifiedBundle(collecting: texts, keys: keys)
        } catch {
            let advice = error.place.map { "Statement \($0) is the one of \(origins[$0 - 1])." }
            throw Failure(.invalid, "no bundle (\(error.code)): \(error)", advice: advice)
        }
    }

    private func next(
        _ block: inout LineReader.Block, of lines: LineReader, _ source: InputSource
    ) throws(Failure) -> Bool {
        do throws(SystemError) {
            return try lines.next(&block)
        } catch {
            throw Failure(.refusedInput, "cannot read \(source.name): \(error.text)")
        }
    }

    private mutating func add(_ text: [UInt8], from origin: String) throws(Failure) {
        guard texts.count < UnverifiedBundle.maxStatements else {
            throw Failure(.invalid, "no bundle (\(BundleFault.statements.code)): \(BundleFault.statements)")
        }
        do throws(InvalidReason) {
            texts.append(try Self.statement(in: text))
            origins.append(origin)
        } catch {
            throw Self.refusal(error, origin)
        }
    }

    /// The statement without its newline, also out of a JSON result that says the same.
    private static func statement(in text: [UInt8]) throws(InvalidReason) -> String {
        var bytes = text.last == UInt8(ascii: "\n") ? Array(text.dropLast()) : text
        var result: SignedResult?
        if bytes.first == UInt8(ascii: "{") {
            let found = try SignedResult(bytes.span)
            bytes = Array(found.statement.utf8)
            result = found
        }
        guard bytes.last != UInt8(ascii: "\n") else { throw .notCompact }
        let claims = try UnverifiedStatement(bytes.span).claims
        if let result, !result.agrees(with: claims) { throw .resultDiffers }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func refusal(_ reason: InvalidReason, _ origin: String) -> Failure {
        Failure(.invalid, "\(origin): invalid (\(reason.code)): \(reason)")
    }
}
