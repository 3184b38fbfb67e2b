internal import CountersignKeys

/// Statements of one buffer whose signatures have not been looked at yet.
struct WaitingSignatures {
    struct Element {
        /// The statement's place among the verdicts.
        let index: Int
        let statement: UnverifiedStatement
        let key: SessionKey
        /// Where in the buffer lies what was signed.
        let signingInput: Range<Int>
    }

    private(set) var elements: [Element] = []
    /// Of the elements, once each.
    private(set) var keys: [SessionKey] = []
    /// Those of the elements, one after another.
    private(set) var signatures: [UInt8] = []

    /// - Parameter signature: 64 bytes.
    mutating func append(_ element: Element, _ signature: [UInt8]) {
        if element.key.waiting == 0 { keys.append(element.key) }
        element.key.waiting += 1
        elements.append(element)
        signatures.append(contentsOf: signature)
    }

    /// Where among ``signatures`` that of an element lies.
    func signature(at place: Int) -> Range<Int> {
        (place * SignatureBatch.signatureCount)..<((place + 1) * SignatureBatch.signatureCount)
    }

    mutating func removeAll() {
        for key in keys {
            key.waiting = 0
            key.table = nil
        }
        elements.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        signatures.removeAll(keepingCapacity: true)
    }
}
