public import CountersignKeys

/// This text must have been signed.
public struct ExpectedPayload: PolicyRule {
    /// The payload's bytes.
    public let bytes: [UInt8]

    /// Asks for `bytes`, which need not be UTF-8 (and then never match).
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// `payloadDiffers`, or nil.
    public func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason? {
        claims.payload.utf8.elementsEqual(bytes) ? nil : .payloadDiffers
    }
}
