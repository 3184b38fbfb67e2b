internal import CountersignJOSE

/// Statements of several persons in one text that has the form of a bundle (`docs/bundle.md`). Neither their signatures nor
/// whether they belong together has been checked.
public struct UnverifiedBundle: Sendable {
    /// The longest bundle, in bytes: as long as fifteen of the longest statements.
    public static let maxBytes = 245_760
    /// The most statements of a bundle.
    public static let maxStatements = QuorumRule.maxPersons
    private static let version: Int64 = 1

    /// The statements as they stand, 1...64.
    public let statements: [String]
    /// The keys that came along. Never trust them.
    public let keys: BundleKeys

    /// Whether a text is meant as a bundle, rather than as a statement or a JSON result: an object whose first member is
    /// called `bundle`.
    public static func begins(_ text: Span<UInt8>) -> Bool {
        // Almost every text is a statement.
        guard SignedResult.begins(text) else { return false }
        var expected = Array("{\"bundle\"".utf8)[...]
        for index in text.indices {
            guard let next = expected.first else { return true }
            if text[index] == next {
                expected.removeFirst()
            } else if expected.count < 8 || !PEMFile.isSpace(text[index]) {
                return false
            }
        }
        return expected.isEmpty
    }

    /// Reads a bundle with at most one newline after it: decodes, encodes again and compares.
    public init(_ text: Span<UInt8>) throws(BundleFault) {
        let end = text.count > 0 && text[text.count - 1] == UInt8(ascii: "\n") ? text.count - 1 : text.count
        guard end <= Self.maxBytes else { throw .tooLong }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(end)
        for index in 0..<end { bytes.append(text[index]) }
        var reader = JSONReader(bytes, canonical: true)
        try Self.readVersion(&reader)
        let statements = try Self.readStatements(&reader)
        try Self.readEvidence(&reader)
        self.init(statements: statements, keys: try Self.readKeys(&reader))
        do {
            try reader.endObject()
            try reader.end()
        } catch { throw .malformed }
        guard self.text == bytes else { throw .keys }
    }

    /// Makes a bundle of statements that were collected: each must have the form of a statement and belong to the others.
    /// Their signatures are not looked at.
    ///
    /// - Throws: `statement`, `statements`, `sameSigner`, `sameID`, `unequal` with places as they were given; `tooLong`.
    public init(collecting texts: [String], keys: BundleKeys = .set([])) throws(BundleFault) {
        guard (1...Self.maxStatements).contains(texts.count) else { throw .statements }
        var claims: [Claims] = []
        for (index, text) in texts.enumerated() {
            do throws(InvalidReason) {
                let bytes = Array(text.utf8)
                guard bytes.last != UInt8(ascii: "\n") else { throw .notCompact }
                claims.append(try UnverifiedStatement(bytes.span).claims)
            } catch {
                throw .statement(index + 1, error)
            }
        }
        if let fault = BundleAgreement.fault(of: claims) { throw fault }
        let order = claims.indices.sorted { claims[$0].subject < claims[$1].subject }
        self.init(statements: order.map { texts[$0] }, keys: keys)
        guard text.count <= Self.maxBytes else { throw .tooLong }
    }

    private init(statements: [String], keys: BundleKeys) {
        self.statements = statements
        self.keys = keys
    }

    /// The one text of this bundle, without a newline.
    public var text: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(name: "bundle", integer: Self.version)
        writer.member(name: "statements", strings: statements)
        writer.member(name: "evidence", strings: [])
        writer.name("keys")
        keys.write(to: &writer)
        writer.endObject()
        return writer.bytes
    }

    // MARK: Members

    private static func readVersion(_ reader: inout JSONReader) throws(BundleFault) {
        let version: Int64
        do {
            try reader.beginObject()
            try reader.name("bundle")
            version = try reader.integer()
        } catch { throw error.code == .numberOutOfRange ? .version : .malformed }
        guard version == Self.version else { throw .version }
    }

    private static func readStatements(_ reader: inout JSONReader) throws(BundleFault) -> [String] {
        var statements: [String] = []
        var isTooMany = false
        do {
            try reader.name("statements")
            try reader.beginArray()
            while try !isTooMany && reader.nextElement() {
                isTooMany = statements.count == maxStatements
                if !isTooMany { statements.append(try reader.string()) }
            }
        } catch { throw .malformed }
        guard !isTooMany, !statements.isEmpty else { throw .statements }
        return statements
    }

    private static func readEvidence(_ reader: inout JSONReader) throws(BundleFault) {
        let isEmpty: Bool
        do {
            try reader.name("evidence")
            try reader.beginArray()
            isEmpty = try !reader.nextElement()
        } catch { throw .malformed }
        guard isEmpty else { throw .evidence }
    }

    private static func readKeys(_ reader: inout JSONReader) throws(BundleFault) -> BundleKeys {
        let value: JSON
        do {
            try reader.name("keys")
            value = try reader.value()
        } catch { throw .malformed }
        guard let keys = BundleKeys(value) else { throw .keys }
        return keys
    }
}
