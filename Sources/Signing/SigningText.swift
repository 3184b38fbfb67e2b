import CountersignVerifier

/// A payload or reason that may be signed, exactly as it was given: nothing is trimmed, normalised or repaired
/// (attack W3). Equal where the bytes are equal; Swift's own `==` takes `é` and `e` + U+0301 for the same text.
package struct SigningText: Sendable, Hashable {
    /// The text as it will be signed.
    package let text: String
    /// Its length in extended grapheme clusters, counted once, here (rules S03, O06).
    package let length: Int

    /// Parses the bytes of a payload or reason.
    ///
    /// - Throws: The refusal of the first check that fails: empty, bytes, UTF-8, characters that may not be signed,
    ///   length, blank. A long input costs no more than a look at its size.
    package init(_ bytes: Span<UInt8>, as field: Field) throws(Refusal) {
        let codes = field.codes
        if bytes.isEmpty { throw Refusal(codes.empty) }
        if bytes.count > field.maxBytes {
            throw Refusal(codes.tooManyBytes, .bytes(count: bytes.count, limit: field.maxBytes))
        }
        let text = try Self.decode(bytes, else: codes.notUTF8)
        if let (offset, scalar) = TextRules.firstRefused(in: text, newlineAndTabAllowed: field == .payload) {
            throw Refusal(codes.character, .character(scalar, offset: offset))
        }
        let length = TextRules.length(of: text)
        if length > field.maxCharacters {
            throw Refusal(codes.tooLong, .characters(count: length, limit: field.maxCharacters))
        }
        if Self.isBlank(text) { throw Refusal(codes.blank) }
        self.text = text
        self.length = length
    }

    private static func decode(_ bytes: Span<UInt8>, else code: Refusal.Code) throws(Refusal) -> String {
        do {
            return String(copying: try UTF8Span(validating: bytes))
        } catch {
            throw Refusal(code, .notUTF8(offset: error.byteOffsets.lowerBound))
        }
    }

    /// Whether a text has nothing that can be seen: white space, what Unicode lets be ignored (with U+3164 HANGUL FILLER), and
    /// the blank braille pattern.
    package static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint || $0 == "\u{2800}"
        }
    }

    /// By bytes.
    package static func == (left: SigningText, right: SigningText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// By bytes.
    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension SigningText {
    /// Which text it is: the two differ in their limits, in newline and tab, and in what refuses them.
    package enum Field: String, Sendable, Hashable, CaseIterable {
        /// What is signed: 1...500 characters, at most 4,096 bytes (rule S01).
        case payload
        /// Why it is signed: 1...100 characters, at most 1,024 bytes (rule S02).
        case reason

        /// The most characters, in extended grapheme clusters.
        package var maxCharacters: Int { self == .payload ? 500 : 100 }

        /// The most bytes of UTF-8: one character may have any number of them.
        package var maxBytes: Int { self == .payload ? TextRules.maxPayloadBytes : TextRules.maxReasonBytes }

        fileprivate var codes: Codes {
            switch self {
            case .payload:
                Codes(
                    empty: .payloadEmpty, blank: .payloadBlank, tooLong: .payloadTooLong,
                    tooManyBytes: .payloadTooManyBytes, character: .payloadCharacter, notUTF8: .payloadNotUTF8)
            case .reason:
                Codes(
                    empty: .reasonEmpty, blank: .reasonBlank, tooLong: .reasonTooLong,
                    tooManyBytes: .reasonTooManyBytes, character: .reasonCharacter, notUTF8: .reasonNotUTF8)
            }
        }
    }

    fileprivate struct Codes {
        let empty, blank, tooLong, tooManyBytes, character, notUTF8: Refusal.Code
    }
}
