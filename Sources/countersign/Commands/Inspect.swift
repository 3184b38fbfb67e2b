import ArgumentParser
import CountersignJOSE
import CountersignVerifier

/// `countersign inspect`: what a statement claims, with nothing checked but its form.
struct Inspect: Command {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        _superCommandName: "countersign",
        abstract: "Show what a statement or bundle claims, UNVERIFIED.",
        discussion: """
            Nothing but the form is checked: anybody can write such a text. Every line says so. To know whether it was \
            signed, use `countersign verify`.

            EXAMPLES
              countersign inspect statement.jws
              countersign inspect --json --statement "$STATEMENT"

            EXIT CODES
              0 it has the form of a statement or bundle, 1 it has not, 2 it cannot be read
            """)

    @Argument(
        help: ArgumentHelp(
            "A file with a statement, JSON result or bundle; - or none is standard input.", valueName: "file"),
        completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("The statement itself.", valueName: "text"))
    var statement: String?

    @Flag(help: "Print JSON, marked \"unverified\": true.")
    var json = false

    func validate() throws {
        if statement != nil && file != nil { throw ValidationError("--statement and a file exclude each other") }
    }

    func perform(_ output: Output) throws -> ExitStatus {
        let source = statement.map(InputSource.argument) ?? file.map { InputSource(file: $0) } ?? .standardInput
        let text = try source.bytes(limit: LineReader.blockSize)
        if let text, UnverifiedBundle.begins(text.span) { return try show(bundle: text, output) }
        let found: UnverifiedStatement
        do throws(InvalidReason) {
            guard let text else { throw .tooLong }
            let statement = try statement(in: text)
            found = try UnverifiedStatement(statement.span)
        } catch {
            throw Failure(.invalid, "invalid (\(error.code)): \(error)")
        }
        if json {
            var writer = JSONWriter()
            writer.beginObject()
            writer.name("unverified")
            writer.bool(true)
            VerdictJSON.write(found.claims, keyID: found.keyID, algorithm: found.algorithm, to: &writer)
            writer.endObject()
            try output.write(writer.bytes)
            try output.write("\n")
        } else {
            try output.write(
                ClaimsText.lines(
                    found.claims, keyID: found.keyID, algorithm: found.algorithm, mark: "UNVERIFIED "))
        }
        return .done
    }

    private func show(bundle text: [UInt8], _ output: Output) throws -> ExitStatus {
        let sheet: BundleSheet
        do throws(BundleFault) {
            sheet = try BundleSheet(UnverifiedBundle(text.span))
        } catch {
            throw Failure(.invalid, "invalid (\(error.code)): \(error)")
        }
        try output.write(json ? sheet.json : sheet.text)
        return .done
    }

    /// The statement inside a JSON result; any other text as it is.
    private func statement(in text: [UInt8]) throws(InvalidReason) -> [UInt8] {
        guard text.first == UInt8(ascii: "{") else { return text }
        let json = try? JSON(parsing: text, maxBytes: LineReader.blockSize)
        guard let statement = json?.object?["payloadSignature"]?.string else { throw .result }
        return Array(statement.utf8)
    }
}
