package import CountersignVerifier
internal import Signing
internal import Storage

/// What is signed at once, as it stands.
package struct BatchRecord: Sendable {
    /// One payload.
    package struct Item: Sendable {
        /// What the caller calls it.
        package let reference: String?
        /// What is signed.
        package let payload: String
        /// The result, where it is signed.
        package let result: SignedResult?
    }

    /// The digest of the list, as the claim `batch` has it.
    package let digest: String
    /// The payloads in their order.
    package let items: [Item]

    /// A batch that waits, or was just signed.
    ///
    /// - Parameter results: one for each payload; none while it waits.
    init(_ batch: Batch, _ results: [SignedResult]) {
        digest = batch.digest
        items = batch.items.enumerated().map { index, item in
            Item(
                reference: item.reference, payload: item.payload.text,
                result: results.indices.contains(index) ? results[index] : nil)
        }
    }

    /// A batch that was signed, by its statements in their order.
    init(_ rows: [StatementRow]) throws {
        guard rows.map(\.place) == Array(1...max(1, rows.count)) else {
            throw StorageError(.corrupt, "a batch lacks a statement")
        }
        digest = BatchPlace.digest(of: rows.lazy.map(\.payload))
        items = try rows.map { row in
            Item(reference: row.reference, payload: row.payload, result: try SignedResult(row))
        }
    }
}
