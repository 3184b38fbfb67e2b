extension JWKSet {
    /// Reads a set key by key, so that no more than one key is held as a tree.
    struct Parser {
        /// What has been read.
        private(set) var set = JWKSet()
        /// What is wrong with the set where its JSON is right; then what was read is not to be used.
        private(set) var refusal: JOSEError?
        private var reader: JSONReader
        /// The names of its members: of few, no hash table is made.
        private var keyIDs = JSONObject()

        init(_ bytes: [UInt8]) { reader = JSONReader(bytes) }

        /// Reads the whole file. `wrongType` means that it is JSON, but no key set.
        mutating func readSet() throws(JSONError) {
            var names = JSONObject()
            try reader.beginObject()
            while let name = try reader.nextAnyName() {
                if names.contains(name.text) { throw JSONError(.duplicateName, at: name.offset) }
                guard names.members.count < JWKSet.maxMembers else {
                    throw JSONError(.tooManyValues, at: name.offset)
                }
                names.append(name.text, .null)
                // Members that are not known are ignored (RFC 7517 section 5), but they must be JSON.
                if name.text.hasSameUTF8(as: "keys") { try readKeys() } else { _ = try reader.value() }
            }
            try reader.end()
            if !names.contains("keys") { throw JSONError(.wrongType, at: 0) }
        }

        private mutating func readKeys() throws(JSONError) {
            var index = 0
            try reader.beginArray()
            while try reader.nextElement() {
                guard index < JWKSet.maxKeys else {
                    refusal = JOSEError(.tooManyKeys, "a key set has at most \(JWKSet.maxKeys) keys")
                    throw JSONError(.tooManyValues, at: reader.position)
                }
                add(try reader.value(), at: index)
                index += 1
            }
        }

        private mutating func add(_ value: JSON, at index: Int) {
            let given = value.object?["kid"]?.string
            do throws(JWKRefusal) {
                guard let object = value.object else { throw JWKRefusal(.notAnObject, "not a JSON object") }
                let key = try JWK(object)
                set.keys.append(key)
                note(key.keyID)
            } catch {
                set.skipped.append(Skipped(index: index, keyID: given, reason: error))
                // The kids of skipped keys count too: a file in which a kid means two keys has two readings.
                if let given { note(given) }
            }
        }

        private mutating func note(_ keyID: String) {
            guard keyIDs.contains(keyID) else { return keyIDs.append(keyID, .null) }
            if refusal == nil { refusal = JOSEError(.duplicateKeyID, "two keys have the kid \(quoted(keyID))") }
        }
    }
}
