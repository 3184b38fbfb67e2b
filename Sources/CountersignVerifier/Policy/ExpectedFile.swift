public import CountersignKeys

/// The file with this digest must have been signed. Its name does not matter.
public struct ExpectedFile: PolicyRule {
    /// The SHA-256 of the file, 32 bytes.
    public let digest: [UInt8]

    /// Asks for the file with this SHA-256.
    public init(sha256 digest: [UInt8]) {
        self.digest = digest
    }

    /// `fileDiffers`, or nil.
    public func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason? {
        FileDigest(line: claims.payload)?.digest == digest ? nil : .fileDiffers
    }
}
