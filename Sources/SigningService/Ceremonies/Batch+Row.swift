internal import CountersignJOSE
internal import Signing
internal import Storage

extension Batch {
    /// The list as a row keeps it, until its ceremony is over: an array of `[payload]` and `[payload, reference]`.
    var stored: String {
        var writer = JSONWriter()
        writer.beginArray()
        for item in items {
            writer.beginArray()
            writer.string(item.payload.text)
            if let reference = item.reference { writer.string(reference) }
            writer.endArray()
        }
        writer.endArray()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// What a row keeps.
    ///
    /// - Throws: `StorageError.corrupt`.
    static func drafts(stored text: String) throws -> [Draft] {
        // Nothing that may be signed is more than twice as long in JSON.
        let limit = 4 * (maxBytes + maxPayloads * maxReferenceBytes)
        guard let list = try? JSON(parsing: Array(text.utf8), maxBytes: limit).array else {
            throw StorageError(.corrupt, "a ceremony holds a batch that is none")
        }
        return try list.map { entry in
            let texts = entry.array?.compactMap(\.string) ?? []
            guard let payload = texts.first, texts.count == entry.array?.count, texts.count <= 2 else {
                throw StorageError(.corrupt, "a ceremony holds a batch that is none")
            }
            return Draft(payload: Array(payload.utf8), reference: texts.dropFirst().first)
        }
    }
}
