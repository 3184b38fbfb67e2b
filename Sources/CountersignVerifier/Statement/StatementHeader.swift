internal import CountersignJOSE
internal import CountersignKeys

/// The header of a statement: `alg`, `kid` and the fixed `typ`.
struct StatementHeader: Equatable {
    /// The algorithm it names. The key decides which one is used.
    let algorithm: KeyAlgorithm
    /// The thumbprint it names, 43 characters of base64url.
    let keyID: String

    /// The canonical JSON of the header.
    var bytes: [UInt8] { CompactJWS.plainHeader(algorithm, keyID: keyID, type: StatementText.type) }

    init(algorithm: KeyAlgorithm, keyID: String) {
        self.algorithm = algorithm
        self.keyID = keyID
    }

    /// Reads a header: its text first, then its values from left to right, then the comparison with the text encoded
    /// again.
    init(_ bytes: [UInt8]) throws(InvalidReason) {
        let names: (algorithm: String, keyID: String, type: String)
        do {
            var reader = JSONReader(bytes, canonical: true)
            try reader.beginObject()
            try reader.name("alg")
            names.algorithm = try reader.string()
            try reader.name("kid")
            names.keyID = try reader.string()
            try reader.name("typ")
            names.type = try reader.string()
            try reader.endObject()
            try reader.end()
        } catch {
            throw .header
        }
        guard let algorithm = KeyAlgorithm(rawValue: names.algorithm) else { throw .algorithm }
        guard Thumbprint.isWellFormed(names.keyID) else { throw .keyID }
        guard names.type.hasSameUTF8(as: StatementText.type.description) else { throw .type }
        self.init(algorithm: algorithm, keyID: names.keyID)
        guard self.bytes == bytes else { throw .header }
    }
}
