internal import CountersignKeys

extension VerificationSession {
    /// Verifies many texts of one buffer: each gets the verdict that ``verify(_:at:)`` would give it.
    ///
    /// Signatures of keys that signed several statements are checked together, which takes a fraction of the time. What is
    /// found wrong there is looked at once more by OpenSSL's own verification. A call should have some hundred texts.
    ///
    /// - Parameters:
    ///   - texts: where they lie in `buffer`, each with at most one newline at its end.
    ///   - now: the time in seconds since 1970.
    /// - Returns: a verdict for each, in order.
    public func verify(_ texts: [Range<Int>], of buffer: Span<UInt8>, at now: Int64) -> [Verdict] {
        var verdicts: [Verdict] = []
        verdicts.reserveCapacity(texts.count)
        for place in texts {
            verdicts.append(read(place, of: buffer, as: verdicts.count, at: now))
            if waiting.elements.count == SignatureBatch.capacity { settle(of: buffer, at: now, &verdicts) }
        }
        settle(of: buffer, at: now, &verdicts)
        return verdicts
    }

    /// Verifies one text of many, or leaves its signature for later: then the verdict stands until the signature has been
    /// found right.
    private func read(_ place: Range<Int>, of buffer: Span<UInt8>, as index: Int, at now: Int64) -> Verdict {
        let text = buffer.extracting(place)
        if SignedResult.begins(text) { return verifyResult(text, at: now) }
        let statement: UnverifiedStatement
        do { statement = try form.read(text) } catch { return .invalid(error) }
        let key: SessionKey
        do { key = try self.key(of: statement) } catch { return error.verdict }
        let hasTables = SignatureTable.worth(for: key.trusted.key.algorithm) != nil
        guard hasTables, form.signature.count == SignatureBatch.signatureCount else {
            guard key.signatures.isValid(form.signature.span, for: text.extracting(form.signingInput)) else {
                return .invalid(.signature)
            }
            return judge(statement, signedBy: key, at: now, isAlone: true)
        }
        let start = place.lowerBound + form.signingInput.lowerBound
        waiting.append(
            .init(
                index: index, statement: statement, key: key, signingInput: start..<(start + form.signingInput.count)),
            form.signature)
        return .invalid(.signature)
    }

    /// Checks the signatures that wait, and judges what is signed.
    private func settle(of buffer: Span<UInt8>, at now: Int64, _ verdicts: inout [Verdict]) {
        for key in waiting.keys {
            key.table = verifier.tables.table(of: key.trusted.key, id: key.id, for: key.waiting)
        }
        let signatures = waiting.signatures
        var together: [Int] = []
        for (place, element) in waiting.elements.enumerated() {
            let (signature, message) = (waiting.signature(at: place), element.signingInput)
            if let table = element.key.table,
                batch.append(
                    signatures.span.extracting(signature), for: buffer.extracting(message), with: table)
            {
                together.append(place)
            } else if isSigned(place, of: buffer) {
                verdicts[element.index] = judge(element.statement, signedBy: element.key, at: now, isAlone: true)
            }
        }
        // OpenSSL's own verification has the last word on a refusal.
        for (place, isRight) in zip(together, batch.check()) where isRight || isSigned(place, of: buffer) {
            let element = waiting.elements[place]
            verdicts[element.index] = judge(element.statement, signedBy: element.key, at: now, isAlone: true)
        }
        batch.removeAll()
        waiting.removeAll()
    }

    private func isSigned(_ place: Int, of buffer: Span<UInt8>) -> Bool {
        let (element, signatures) = (waiting.elements[place], waiting.signatures)
        return element.key.signatures.isValid(
            signatures.span.extracting(waiting.signature(at: place)), for: buffer.extracting(element.signingInput))
    }
}
