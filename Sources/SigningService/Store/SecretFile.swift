internal import CountersignKeys
internal import Glibc

/// Files with a secret in them: made with mode 0600 whatever the umask, never through a link, never over another file.
enum SecretFile {
    /// Writes a new file and waits until it is on disk.
    static func write(_ secret: SecretBytes, to path: String) throws(StoreDirectoryError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let code: StoreDirectoryError.Code = errno == EEXIST ? .alreadyThere : .system
            throw StoreDirectoryError(code, "\(path) cannot be made: \(SystemError.text)")
        }
        let isWritten = secret.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { buffer in
                var offset = 0
                while offset < buffer.count {
                    let count = unsafe Glibc.write(
                        descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return false }
                    offset += count
                }
                return true
            }
        }
        let isDurable = isWritten && fchmod(descriptor, 0o600) == 0 && fsync(descriptor) == 0
        let reason = SystemError.text
        guard close(descriptor) == 0, isDurable else {
            unsafe unlink(path)
            throw StoreDirectoryError(.system, "\(path) cannot be written: \(reason)")
        }
    }

    /// Reads a file of at most `limit` bytes into memory that is wiped.
    ///
    /// - Throws: `wrongMasterKey` where there is none, `symbolicLink`, `wrongMode`, `wrongOwner`.
    static func read(_ path: String, limit: Int) throws(StoreDirectoryError) -> SecretBytes {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT {
                throw StoreDirectoryError(
                    .wrongMasterKey, "\(path) is missing; without it the private keys cannot be used")
            }
            if errno == ELOOP { throw StoreDirectoryError(.symbolicLink, "\(path) is a symbolic link") }
            throw StoreDirectoryError(.system, "\(path) cannot be read: \(SystemError.text)")
        }
        defer { close(descriptor) }
        // Of the file that is open, not of what may stand at its path by now.
        try FileStatus(of: descriptor, path).checkFile(path)
        var bytes = [UInt8](repeating: 0, count: limit)
        defer { wipe(&bytes) }
        var count = 0
        while count < limit {
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), limit - count)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else {
                throw StoreDirectoryError(.system, "\(path) cannot be read: \(SystemError.text)")
            }
            if read == 0 { break }
            count += read
        }
        return SecretBytes(copying: bytes.span.extracting(0..<count))
    }
}
