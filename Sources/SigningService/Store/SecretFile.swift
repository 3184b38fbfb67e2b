internal import CountersignKeys
internal import Glibc

/// Files with a secret in them: made with mode 0600 whatever the umask, never through a link, never over another file.
enum SecretFile {
    /// Writes a new file and waits until it is on disk.
    ///
    /// - Parameter name: what errors call it; the path where the file stands until it takes its place says nothing to anybody.
    static func write(_ secret: SecretBytes, to path: String, named name: String) throws(StoreDirectoryError) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { throw StoreDirectoryError(.alreadyThere, "\(name) exists already") }
            throw StoreDirectoryError(system: "\(name) cannot be made")
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
        let number = errno
        guard close(descriptor) == 0, isDurable else {
            let error = StoreDirectoryError(system: "\(name) cannot be written", isDurable ? errno : number)
            unsafe unlink(path)
            throw error
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
            throw StoreDirectoryError(system: "\(path) cannot be read")
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
                throw StoreDirectoryError(system: "\(path) cannot be read")
            }
            if read == 0 { break }
            count += read
        }
        return SecretBytes(copying: bytes.span.extracting(0..<count))
    }
}
