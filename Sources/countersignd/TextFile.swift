internal import Glibc

/// Small files.
enum TextFile {
    /// The bytes of a file; nil, with `errno`, where it cannot be read or is longer.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else {
                errno = EFBIG
                return nil
            }
            bytes += piece[..<count]
        }
    }

    /// Replaces a file by one with this one line, which only its owner may read, and waits until it is on disk.
    ///
    /// - Returns: false, with `errno`, where it cannot be written.
    static func replace(_ path: String, secretLine line: String) -> Bool {
        let draft = path + ".new"
        unsafe unlink(draft)
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let bytes = Array((line + "\n").utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
        let isWritten = count == bytes.count && fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten, unsafe rename(draft, path) == 0 else {
            let number = errno
            unsafe unlink(draft)
            errno = number
            return false
        }
        return true
    }
}
