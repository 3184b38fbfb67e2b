public import CountersignVerifier
internal import Wire

/// One payload of several that are signed at once.
public struct BatchItem: Sendable {
    /// What is signed, 1 to 500 characters.
    public let payload: String
    /// What the caller calls it, 1 to 128 bytes; it comes back with the statement, and is not signed.
    public let reference: String?
    /// The result, where it is signed.
    public let result: SignedResult?

    /// One to be signed.
    public init(payload: String, reference: String? = nil) {
        self.payload = payload
        self.reference = reference
        result = nil
    }

    init(_ message: BatchItemMessage) {
        payload = message.text
        reference = message.reference
        result = message.result
    }

    var message: BatchPayload { BatchPayload(payload: payload, reference: reference) }
}
