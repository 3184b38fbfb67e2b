internal import CountersignKeys

extension VerificationSession {
    /// Verifies many texts of one buffer: each gets the verdict that ``verify(_:at:)`` would give it.
    ///
    /// Where one key signed hundreds of statements, its signatures are checked together, which takes a fraction of the
    /// time. What is found wrong there is looked at once more by OpenSSL's own verification. A call should have some
    /// hundred texts.
    ///
    /// - Parameters:
    ///   - texts: where they lie in `buffer`, each with at most one newline at its end.
    ///   - now: the time in seconds since 1970.
    /// - Returns: a verdict for each, in order.
    public func verify(_ texts: [Range<Int>], of buffer: Span<UInt8>, at now: Int64) -> [Verdict] {
        var verdicts: [Verdict] = []
        verdicts.reserveCapacity(texts.count)
        var keys: [SessionKey] = []
        for place in texts {
            let (verdict, key) = read(place, of: buffer, as: verdicts.count, at: now)
            verdicts.append(verdict)
            guard let key else { continue }
            if key.waiting.count == 1 { keys.append(key) }
            if key.waiting.count == SignatureBatch.capacity { settle(key, of: buffer, at: now, &verdicts) }
        }
        for key in keys {
            settle(key, of: buffer, at: now, &verdicts)
            key.endBatch()
        }
        return verdicts
    }

    /// Verifies one text of many, or leaves its signature to a batch: then its key comes with the verdict that stands
    /// until the signature has been found right.
    private func read(
        _ place: Range<Int>, of buffer: Span<UInt8>, as index: Int, at now: Int64
    ) -> (verdict: Verdict, key: SessionKey?) {
        let text = buffer.extracting(place)
        if SignedResult.begins(text) { return (verifyResult(text, at: now), nil) }
        let statement: UnverifiedStatement
        do { statement = try form.read(text) } catch { return (.invalid(error), nil) }
        let key: SessionKey
        do { key = try self.key(of: statement) } catch { return (error.verdict, nil) }
        let message = text.extracting(form.signingInput)
        guard let batch = key.batch(verifier.tables, workspace) else {
            guard key.signatures.isValid(form.signature.span, for: message) else { return (.invalid(.signature), nil) }
            return (judge(statement, signedBy: key, at: now, isAlone: true), nil)
        }
        guard batch.append(form.signature.span, for: message) else { return (.invalid(.signature), nil) }
        let start = place.lowerBound + form.signingInput.lowerBound
        key.waiting.append(
            SessionKey.Waiting(
                index: index, statement: statement, signingInput: start..<(start + form.signingInput.count)))
        return (.invalid(.signature), key)
    }

    /// Checks the signatures that wait for one key, and judges what is signed.
    private func settle(_ key: SessionKey, of buffer: Span<UInt8>, at now: Int64, _ verdicts: inout [Verdict]) {
        guard let batch = key.batch else { return }
        for (place, (waiting, isRight)) in zip(key.waiting, batch.check()).enumerated() {
            guard isRight || isSigned(waiting, batch.signature(at: place), key, buffer) else { continue }
            verdicts[waiting.index] = judge(waiting.statement, signedBy: key, at: now, isAlone: true)
        }
        key.waiting.removeAll(keepingCapacity: true)
        batch.removeAll()
    }

    /// Whether OpenSSL's own verification, which has the last word on a refusal, takes a signature.
    private func isSigned(
        _ waiting: SessionKey.Waiting, _ signature: [UInt8], _ key: SessionKey, _ buffer: Span<UInt8>
    ) -> Bool {
        key.signatures.isValid(signature.span, for: buffer.extracting(waiting.signingInput))
    }
}
