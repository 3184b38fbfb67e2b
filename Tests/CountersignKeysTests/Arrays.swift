import CountersignKeys

// `#expect` cannot hold a Span, so the tests speak in arrays.

extension PublicKey {
    func accepts(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        isValid(signature.span, for: message.span)
    }

    init(pem: String, algorithm: KeyAlgorithm? = nil) throws(KeyError) {
        let text = Array(pem.utf8)
        try self.init(pem: text.span, algorithm: algorithm)
    }
}

extension PrivateKey {
    func signature(of message: [UInt8]) throws(KeyError) -> [UInt8] {
        try sign(message.span)
    }

    init(pem: String, passphrase: String? = nil, algorithm: KeyAlgorithm? = nil) throws(KeyError) {
        let text = Array(pem.utf8)
        try self.init(pem: text.span, passphrase: passphrase.map { SecretBytes($0) }, algorithm: algorithm)
    }
}

extension SecretBytes {
    convenience init(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(copying: bytes.span)
    }

    convenience init(_ bytes: [UInt8]) {
        self.init(copying: bytes.span)
    }

    /// A copy, for comparisons.
    var bytes: [UInt8] {
        withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension AEADKey {
    func seal(_ plain: [UInt8], binding: [UInt8]) throws(KeyError) -> [UInt8] {
        try seal(plain.span, binding: binding.span)
    }

    func open(_ sealed: [UInt8], binding: [UInt8]) throws(KeyError) -> [UInt8] {
        try open(sealed.span, binding: binding.span).bytes
    }
}

/// The code of the refusal, or nil where there was none.
func refusal(_ body: () throws(KeyError) -> some Any) -> KeyError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return error.code
    }
}
