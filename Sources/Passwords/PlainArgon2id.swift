internal import CArgon2

/// libargon2's own call and nothing else, as it is meant to be called: the limit that measurements are shown beside.
package enum PlainArgon2id {
    /// Hashes a password, with a salt that is good for nothing else.
    ///
    /// - Throws: `failed` or `outOfMemory`, as hashing for real does.
    package static func hash(_ password: [UInt8], _ parameters: PasswordParameters) throws(PasswordError) {
        let salt = [UInt8](repeating: 7, count: PasswordHash.saltBytes)
        var tag = [UInt8](repeating: 0, count: PasswordHash.tagBytes)
        let status = unsafe argon2id_hash_raw(
            parameters.passes, parameters.memoryKiB, parameters.lanes, password, password.count, salt, salt.count,
            &tag, tag.count)
        guard status == ARGON2_OK.rawValue else {
            let code: PasswordError.Code = status == ARGON2_MEMORY_ALLOCATION_ERROR.rawValue ? .outOfMemory : .failed
            throw PasswordError(code, "libargon2: \(unsafe String(cString: argon2_error_message(status)))")
        }
    }
}
