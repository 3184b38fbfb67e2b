import COpenSSL

extension KeyError {
    /// An error whose reason is taken from OpenSSL's queue of errors, which is emptied.
    static func fromOpenSSL(_ code: Code, _ detail: String) -> KeyError {
        let (reason, isOutOfMemory) = OpenSSLErrors.drain()
        return KeyError(isOutOfMemory ? .outOfMemory : code, detail, reason: reason)
    }
}

/// OpenSSL's queue of errors, one for each thread. What leaves an error there poisons a later call's diagnosis, so
/// each failing path drains it; the good path pays nothing.
enum OpenSSLErrors {
    /// Empties the queue. The oldest errors are nearest to the cause, so they come first; at most four are kept.
    static func drain() -> (reason: String?, isOutOfMemory: Bool) {
        var reasons: [String] = []
        var isOutOfMemory = false
        while true {
            var data: UnsafePointer<CChar>?
            var flags: Int32 = 0
            let code = unsafe ERR_get_error_all(nil, nil, nil, &data, &flags)
            guard code != 0 else { break }
            if ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE { isOutOfMemory = true }
            guard reasons.count < 4 else { continue }
            CryptoLibrary.prepareErrorTexts()
            var text = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "error \(code)"
            if flags & ERR_TXT_STRING != 0, let data = unsafe data {
                let extra = unsafe String(cString: data)
                if !extra.isEmpty { text += " [\(extra)]" }
            }
            reasons.append(text)
        }
        return (reasons.isEmpty ? nil : reasons.joined(separator: ", "), isOutOfMemory)
    }

    /// Empties the queue where its contents are of no interest.
    static func clear() {
        ERR_clear_error()
    }
}
