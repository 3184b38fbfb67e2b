package import CountersignJOSE

/// The JSON result of a signature, with the names of the codelab (S16): what the service returns and `sign --json`
/// prints.
public struct SignedResult: Sendable {
    /// `dataPayload`: the text (S17).
    public let payload: String
    /// `dataPayloadLength`: its length in characters (O07).
    public let payloadLength: Int
    /// `reason`.
    public let reason: String
    /// `payloadSignature`: the statement.
    public let statement: String
    /// `dataSignatureID`: the statement's `jti` (S43).
    public let signatureID: String
    /// `authLevel` (S18).
    public let level: Int
    /// `authenticatorType` (S18).
    public let authenticatorType: Int

    /// The longest result, in bytes.
    static let maxBytes = 65_536
    private static let names: Set<String> = [
        "dataPayload", "dataPayloadLength", "reason", "payloadSignature", "dataSignatureID", "authLevel",
        "authenticatorType",
    ]

    /// The result for a statement that was just made.
    package init(claims: Claims, statement: [UInt8]) {
        payload = claims.payload
        payloadLength = TextRules.length(of: claims.payload)
        reason = claims.reason
        self.statement = String(decoding: statement, as: UTF8.self)
        signatureID = claims.id.text
        level = claims.level.rawValue
        authenticatorType = claims.authenticatorType.rawValue
    }

    /// Whether a text is an object rather than a statement: its first byte that is no white space is a brace.
    static func begins(_ text: Span<UInt8>) -> Bool {
        for index in 0..<min(text.count, maxBytes) {
            switch text[index] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
            default: return text[index] == UInt8(ascii: "{")
            }
        }
        return false
    }

    /// Reads a result. What it says is not checked against the statement in it.
    ///
    /// - Throws: `tooLong` or `result`.
    package init(_ text: Span<UInt8>) throws(InvalidReason) {
        guard text.count <= Self.maxBytes else { throw .tooLong }
        guard case .object(let object)? = try? JSON(parsing: text, maxBytes: Self.maxBytes),
            object.members.count == Self.names.count, object.members.allSatisfy({ Self.names.contains($0.name) }),
            let payload = object["dataPayload"]?.string, let reason = object["reason"]?.string,
            let length = object["dataPayloadLength"]?.integer, (1...500).contains(length),
            let statement = object["payloadSignature"]?.string, let id = object["dataSignatureID"]?.string,
            let level = object["authLevel"]?.integer, let type = object["authenticatorType"]?.integer
        else { throw .result }
        self.payload = payload
        payloadLength = Int(length)
        self.reason = reason
        self.statement = statement
        signatureID = id
        self.level = Int(clamping: level)
        authenticatorType = Int(clamping: type)
    }

    /// Whether all that it says, but for the length, is what the claims say.
    package func agrees(with claims: Claims) -> Bool {
        payload.utf8.elementsEqual(claims.payload.utf8) && reason.utf8.elementsEqual(claims.reason.utf8)
            && signatureID.utf8.elementsEqual(claims.id.text.utf8) && level == claims.level.rawValue
            && authenticatorType == claims.authenticatorType.rawValue
    }

    /// The result as one line of JSON, without a newline.
    public var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Writes the result as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "dataPayload", string: payload)
        writer.member(name: "dataPayloadLength", integer: Int64(payloadLength))
        writer.member(name: "reason", string: reason)
        writer.member(name: "payloadSignature", string: statement)
        writer.member(name: "dataSignatureID", string: signatureID)
        writer.member(name: "authLevel", integer: Int64(level))
        writer.member(name: "authenticatorType", integer: Int64(authenticatorType))
        writer.endObject()
    }
}
