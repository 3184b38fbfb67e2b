internal import CArgon2
internal import CountersignKeys

/// Argon2id by libargon2 (RFC 9106), which wipes the memory that it used.
enum Argon2id {
    /// The tag of a password.
    static func tag(
        of password: SecretBytes, salt: [UInt8], _ parameters: PasswordParameters, in memory: HashingMemory
    ) throws(PasswordError) -> [UInt8] {
        var tag = [UInt8](repeating: 0, count: PasswordHash.tagBytes)
        let status = try unsafe memory.withBytes(1024 * Int(parameters.memoryKiB)) { memory in
            password.withBytes { bytes in
                unsafe bytes.withUnsafeBytes { password in
                    unsafe salt.withUnsafeBytes { salt in
                        unsafe tag.withUnsafeMutableBytes { tag in
                            unsafe countersign_argon2id(
                                parameters.passes, parameters.memoryKiB, parameters.lanes, password.baseAddress,
                                password.count, salt.baseAddress, salt.count, tag.baseAddress, tag.count,
                                memory.baseAddress, memory.count)
                        }
                    }
                }
            }
        }
        guard status == ARGON2_OK.rawValue else {
            let code: PasswordError.Code = status == ARGON2_MEMORY_ALLOCATION_ERROR.rawValue ? .outOfMemory : .failed
            throw PasswordError(code, "libargon2: \(unsafe String(cString: argon2_error_message(status)))")
        }
        return tag
    }
}
