import CountersignVerifier

/// The verdict on one text, whatever it is meant as.
enum TextVerdict: Sendable {
    /// On a statement, or a JSON result around one.
    case statement(Verdict)
    /// On several that stand for one decision.
    case bundle(BundleVerdict)

    /// What the verdict comes to.
    enum Kind: String, Sendable { case valid, invalid, indeterminate }

    var kind: Kind {
        switch self {
        case .statement(let verdict): verdict.kind
        case .bundle(let verdict):
            switch verdict.outcome {
            case .valid: .valid
            case .invalid: .invalid
            case .indeterminate: .indeterminate
            }
        }
    }

    /// Why it is not valid: the stable name, and a sentence; nil where it is.
    var objection: (code: String, sentence: String)? {
        switch self {
        case .statement(let verdict): verdict.objection
        case .bundle(let verdict):
            switch verdict.outcome {
            case .valid: nil
            case .invalid(let fault): (fault.code, fault.description)
            case .indeterminate(let place, let reason): (reason.code, "statement \(place): \(reason)")
            }
        }
    }

    /// What was signed; nil unless it is valid.
    var payload: String? {
        if case .statement(.valid(let statement)) = self { return statement.claims.payload }
        if case .bundle(let verdict) = self, case .valid(let bundle) = verdict.outcome { return bundle.shared.payload }
        return nil
    }
}

extension Verdict {
    var kind: TextVerdict.Kind {
        switch self {
        case .valid: .valid
        case .invalid: .invalid
        case .indeterminate: .indeterminate
        }
    }

    /// Why it is not valid: the stable name, and a sentence; nil where it is.
    var objection: (code: String, sentence: String)? {
        switch self {
        case .valid: nil
        case .invalid(let reason): (reason.code, reason.description)
        case .indeterminate(let reason): (reason.code, reason.description)
        }
    }
}

extension VerificationSession {
    /// Verifies a text as what it is meant as: a bundle begins like one.
    func verdict(on text: Span<UInt8>, at now: Int64) -> TextVerdict {
        UnverifiedBundle.begins(text) ? .bundle(verifyBundle(text, at: now)) : .statement(verify(text, at: now))
    }

    /// Verifies many texts of one buffer, each as what it is meant as; verdicts in order.
    func verdicts(on texts: [Range<Int>], of buffer: Span<UInt8>, at now: Int64) -> [TextVerdict] {
        let isBundle = texts.map { UnverifiedBundle.begins(buffer.extracting($0)) }
        let statements = zip(texts, isBundle).filter { !$0.1 }.map(\.0)
        var verdicts = verify(statements, of: buffer, at: now).map { TextVerdict.statement($0) }
        for (index, text) in texts.enumerated() where isBundle[index] {
            verdicts.insert(.bundle(verifyBundle(buffer.extracting(text), at: now)), at: index)
        }
        return verdicts
    }
}
