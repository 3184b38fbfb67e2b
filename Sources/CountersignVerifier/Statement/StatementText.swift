internal import CountersignJOSE
package import CountersignKeys

/// The text of a statement: header, claims and signature as one line (`docs/statement.md`).
public enum StatementText {
    /// The longest statement, in bytes.
    public static let maxBytes = 16_384
    /// The header's `typ`.
    static let type: StaticString = "countersign+jwt"

    /// Signs claims.
    ///
    /// - Returns: the statement's bytes, ASCII, without a newline.
    /// - Throws: a `KeyError` of the signer.
    package static func sign(_ claims: Claims, with signer: StatementSigner) throws(KeyError) -> [UInt8] {
        try signer.sign(claims)
    }
}

/// A signing key ready to sign statements. For one thread at a time.
package final class StatementSigner {
    private let signer: Signer
    private let prefix: [UInt8]
    private var writer = JSONWriter(capacity: 1024)
    /// The thumbprint of the key.
    package let keyID: String

    /// Prepares `key` for statements.
    package init(_ key: PrivateKey) {
        signer = key.makeSigner()
        keyID = Thumbprint.sha256(of: key.publicKey)
        let header = StatementHeader(algorithm: key.algorithm, keyID: keyID).bytes
        var prefix: [UInt8] = []
        Base64URL.append(header.span, to: &prefix)
        prefix.append(UInt8(ascii: "."))
        self.prefix = prefix
    }

    /// The compact JWS over claims.
    func sign(_ claims: Claims) throws(KeyError) -> [UInt8] {
        var text = signingInput(claims)
        let signature = try signer.sign(text.span)
        text.append(UInt8(ascii: "."))
        Base64URL.append(signature.span, to: &text)
        return text
    }

    /// What is signed: header, dot, claims. There is room for the signature behind it.
    package func signingInput(_ claims: Claims) -> [UInt8] {
        writer.removeAll()
        claims.write(to: &writer)
        let json = writer.bytes
        var text: [UInt8] = []
        text.reserveCapacity(prefix.count + json.count * 4 / 3 + 700)
        text.append(contentsOf: prefix)
        Base64URL.append(json.span, to: &text)
        return text
    }
}
