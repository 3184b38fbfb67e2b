internal import CountersignVerifier

/// Several payloads that are signed at once: one question, one authentication, and a statement for each of them. Their order is part of
/// what is asked.
package struct Batch: Sendable, Hashable {
    /// The most payloads (rule O43).
    package static let maxPayloads = 1_000
    /// The most bytes of all payloads together.
    package static let maxBytes = 1 << 20
    /// The most bytes of a reference.
    package static let maxReferenceBytes = 128

    /// A payload as it came.
    package struct Draft: Sendable {
        /// The bytes to be signed, exactly as they are.
        package let payload: [UInt8]
        /// What the caller calls it.
        package let reference: String?

        /// A payload as it came.
        package init(payload: [UInt8], reference: String? = nil) {
            self.payload = payload
            self.reference = reference
        }
    }

    /// One that may be signed.
    package struct Item: Sendable, Hashable {
        /// What is signed.
        package let payload: SigningText
        /// What the caller calls it. It is kept beside the statement, and not signed.
        package let reference: String?

        /// By bytes.
        package static func == (left: Item, right: Item) -> Bool {
            left.payload == right.payload && left.bytes == right.bytes
        }

        /// By bytes.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(payload)
            hasher.combine(bytes)
        }

        private var bytes: [UInt8]? { reference.map { Array($0.utf8) } }
    }

    /// The payloads, in their order.
    package let items: [Item]
    /// The digest of the list, as the claim `batch` has it.
    package let digest: String

    /// Parses a list: how many, then each payload with its reference. The first that does not stand refuses all of them (rule O44).
    package init(_ drafts: [Draft]) throws(Refusal) {
        if drafts.isEmpty { throw Refusal(.batchEmpty) }
        if drafts.count > Self.maxPayloads { throw Refusal(.batchTooLarge, .limit(Self.maxPayloads)) }
        if drafts.reduce(0, { $0 + $1.payload.count }) > Self.maxBytes {
            throw Refusal(.batchTooManyBytes, .limit(Self.maxBytes))
        }
        var items: [Item] = []
        items.reserveCapacity(drafts.count)
        var references: Set<[UInt8]> = []
        for (index, draft) in drafts.enumerated() {
            do throws(Refusal) {
                let payload = try SigningText(draft.payload.span, as: .payload)
                if let reference = draft.reference {
                    guard Self.isReference(reference), references.insert(Array(reference.utf8)).inserted else {
                        throw Refusal(.batchReference)
                    }
                }
                items.append(Item(payload: payload, reference: draft.reference))
            } catch {
                throw Refusal(error.code, .item(index + 1, error.fact))
            }
        }
        self.items = items
        digest = BatchPlace.digest(of: items.lazy.map(\.payload.text))
    }

    /// The line that stands for the list wherever there is room for one text.
    package var line: String { Self.line(digest, of: items.count) }

    /// That of a list with this digest.
    package static func line(_ digest: String, of count: Int) -> String {
        "\(count) payloads, digest of the list \(digest)"
    }

    /// The claim `batch` of the statement over one of the payloads.
    ///
    /// - Parameter index: from 0.
    func claim(at index: Int) -> String { "\(digest).\(index + 1).\(items.count)" }

    private static func isReference(_ text: String) -> Bool {
        (1...maxReferenceBytes).contains(text.utf8.count)
            && TextRules.firstRefused(in: text, newlineAndTabAllowed: false) == nil
    }
}

/// What is asked to be signed, as it came.
package enum Payloads: Sendable {
    /// One text.
    case one([UInt8])
    /// Several, at once.
    case batch([Batch.Draft])
}
