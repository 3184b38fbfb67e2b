import CountersignJOSE
import CountersignKeys
import CountersignVerifier

/// What a bundle claims, with nothing checked but the form of it and of its statements. Every line says so.
struct BundleSheet {
    private static let mark = "UNVERIFIED "
    private let statements: [UnverifiedStatement]
    private let keys: BundleKeys

    init(_ bundle: UnverifiedBundle) throws(BundleFault) {
        keys = bundle.keys
        var statements: [UnverifiedStatement] = []
        for (index, text) in bundle.statements.enumerated() {
            let bytes = Array(text.utf8)
            do throws(InvalidReason) {
                // A line feed may end a file, not a string.
                guard bytes.last != UInt8(ascii: "\n") else { throw .notCompact }
                statements.append(try UnverifiedStatement(bytes.span))
            } catch {
                throw .statement(index + 1, error)
            }
        }
        self.statements = statements
    }

    /// For people.
    var text: String {
        var text = FactSheet.lines(
            [("bundle", Figures.counted(statements.count, "statement")), ("keys", keysText)], indent: Self.mark)
        for (index, statement) in statements.enumerated() {
            text += "\(Self.mark)statement \(index + 1)\n"
            text += ClaimsText.lines(
                statement.claims, keyID: statement.keyID, algorithm: statement.algorithm, mark: Self.mark + "  ")
        }
        return text
    }

    /// For programs: one line.
    var json: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("unverified")
        writer.bool(true)
        writer.member(name: "bundle", integer: 1)
        writer.name("statements")
        writer.beginArray()
        for statement in statements {
            writer.beginObject()
            VerdictJSON.write(
                statement.claims, keyID: statement.keyID, algorithm: statement.algorithm, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        switch keys {
        case .set(let keys): writer.member(name: "kids", strings: keys.map { Thumbprint.sha256(of: $0) })
        case .history(let text): writer.member(name: "history", string: text)
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }

    private var keysText: String {
        switch keys {
        case .history: "a key history, not checked"
        case .set(let keys) where keys.isEmpty: "none"
        case .set(let keys):
            keys.map { "\(Thumbprint.sha256(of: $0)) (\($0.algorithm.rawValue))" }.joined(separator: ", ")
        }
    }
}
