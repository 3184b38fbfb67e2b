import COpenSSL

/// Multiples of one Ed25519 public key, computed once in about 1 ms, for the equation that OpenSSL decides by.
///
/// A signature (R, S) of the message M is right for the key A where S is below L and S·B - k·A, with k = SHA-512(R, A, M)
/// modulo L, is encoded as the very bytes of R (RFC 8032 section 5.1.7 without the cofactor). Each signature is computed by
/// itself: an equation for several at once accepts others. What they share is the inversion for the encodings.
package final class Ed25519Table: Sendable {
    /// How many are computed together: their points stay in the innermost cache.
    private static let blockCount = 128
    /// Bytes of an entry: k, R and S.
    private static let entryCount = 96

    private static let multiplesOfBase = EdwardsMultiples(of: .base)

    private let publicKey: [UInt8]
    private let multiples: EdwardsMultiples

    /// The table of a key of 32 bytes; nil where OpenSSL finds no point in them. It takes keys that ``PublicKey`` refuses.
    ///
    /// - Parameter window: see ``EdwardsMultiples``.
    package init?(_ publicKey: [UInt8], window: Int = 8) {
        guard publicKey.count == 32 else { return nil }
        guard let point = EdwardsPoint(encoded: publicKey.span.words(at: 0)) else { return nil }
        self.publicKey = publicKey
        multiples = EdwardsMultiples(of: point.negated, window: window)
    }

    /// Which signatures are right.
    ///
    /// - Parameter entries: 96 bytes for each: what ``appendChallenge(of:over:to:with:)`` made of it, and the signature.
    package func check(_ entries: [UInt8]) -> [Bool] {
        var answers: [Bool] = []
        answers.reserveCapacity(entries.count / Self.entryCount)
        let block = Self.blockCount * Self.entryCount
        for start in stride(from: 0, to: entries.count, by: block) {
            check(entries.span.extracting(start..<min(start + block, entries.count)), &answers)
        }
        return answers
    }

    private func check(_ entries: Span<UInt8>, _ answers: inout [Bool]) {
        let starts = stride(from: 0, to: entries.count, by: Self.entryCount)
        let challenges = starts.map { Ed25519Scalar(entries.extracting($0..<($0 + 32))) }
        let responses = starts.map { Ed25519Scalar(entries.extracting(($0 + 64)..<($0 + 96))) }
        var points = [EdwardsPoint](repeating: .identity, count: challenges.count)
        multiples.add(challenges.map { $0 ?? .zero }, to: &points)
        Self.multiplesOfBase.add(responses.map { $0 ?? .zero }, to: &points)
        EdwardsPoint.makeAffine(&points)
        for (index, start) in starts.enumerated() {
            let isComputed = challenges[index] != nil && responses[index] != nil && !points[index].z.isZero
            answers.append(isComputed && points[index].encoding == entries.words(at: start + 32))
        }
    }
}

extension Ed25519Table {
    /// Adds k, which stands for a message and the R that was signed with it, in 32 bytes.
    ///
    /// - Parameter digest: SHA-512's, of the caller's thread.
    /// - Returns: false where the signature has not 64 bytes, or k could not be computed; then nothing is added.
    package func appendChallenge(
        of signature: Span<UInt8>, over message: Span<UInt8>, to entries: inout [UInt8], with digest: MessageDigest
    ) -> Bool {
        guard signature.count == 64 else { return false }
        let challenge: Ed25519Scalar? = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { hash in
            guard let start = hash.baseAddress, unsafe hashed(signature, message, with: digest, into: start) else {
                return nil
            }
            return unsafe Ed25519Scalar(reducing: hash.span)
        }
        guard let challenge else { return false }
        challenge.append(to: &entries)
        return true
    }

    /// SHA-512(R, A, M).
    private func hashed(
        _ signature: Span<UInt8>, _ message: Span<UInt8>, with digest: MessageDigest,
        into output: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        unsafe signature.extracting(0..<32).withUnsafeBufferPointer { commitment in
            unsafe publicKey.withUnsafeBufferPointer { key in
                unsafe message.withUnsafeBufferPointer { message in
                    unsafe digest.start() && digest.add(commitment) && digest.add(key) && digest.add(message)
                        && digest.finish(into: output)
                }
            }
        }
    }
}

extension Span<UInt8> {
    /// 32 bytes as words from the lowest.
    fileprivate func words(at offset: Int) -> Ed25519Field.Words {
        (word(at: offset), word(at: offset + 8), word(at: offset + 16), word(at: offset + 24))
    }
}
