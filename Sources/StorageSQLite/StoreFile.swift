internal import Glibc
internal import Storage
internal import Synchronization

/// The file itself, before SQLite touches it: SQLite would turn an empty file into a database and play back any log.
enum StoreFile {
    /// `CTSG` as a number: `PRAGMA application_id`, bytes 68 to 71 of the file.
    static let applicationID: Int32 = 0x4354_5347

    /// What tells files apart, whatever their names.
    struct ID: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    /// Says that this process has the file open, until it is dropped.
    final class Claim: Sendable {
        private static let open = Mutex<[ID: Int]>([:])
        private let id: ID
        /// The tag in the file itself, whatever a log says; nil where the header was checked before.
        let tag: StoreTag?

        private init(_ id: ID, _ tag: StoreTag?) {
            self.id = id
            self.tag = tag
        }

        /// Checks the file's header, unless this process has the file open already: closing a descriptor of a file drops
        /// all of the process's locks on it, SQLite's too, and then the check was made before.
        static func check(_ path: String) throws -> Claim {
            try open.withLock { open in
                let id = try StoreFile.checkKind(path)
                try StoreFile.checkWritable(path)
                let tag = open[id] == nil ? try StoreFile.checkHeader(path) : nil
                open[id, default: 0] += 1
                return Claim(id, tag)
            }
        }

        deinit {
            Self.open.withLock { open in
                let left = open[id, default: 1] - 1
                open[id] = left > 0 ? left : nil
            }
        }
    }

    /// Refuses a file that somebody has open, or had when they died: part of it is in its log then.
    static func checkAtRest(_ path: String) throws {
        _ = try checkKind(path)
        guard try isAtRest(path) else {
            throw StorageError(
                .busy,
                "\(path) is in use, or its last user died; `countersign backup` makes a copy that can be restored")
        }
    }

    /// Whether nobody has the file open, or had when they died: then there is nothing to be played back into it.
    static func isAtRest(_ path: String) throws -> Bool {
        try ["-wal", "-journal"].allSatisfy { suffix in
            var status = stat()
            guard unsafe lstat(path + suffix, &status) != 0 else { return false }
            guard errno == ENOENT else { throw failure(.unreadable, path) }
            return true
        }
    }

    /// A regular file, not a link, that nobody else may touch.
    private static func checkKind(_ path: String) throws -> ID {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw failure(.unreadable, path) }
            throw StorageError(.unreadable, "there is no \(path)")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StorageError(.notAStore, "\(path) is not a plain file") }
        guard status.st_mode & 0o077 == 0 else {
            throw StorageError(.unreadable, "\(path) is open to others: chmod 600 it, and look who may have read it")
        }
        return ID(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    /// Whoever reads a store takes part in its locks, so it must be possible to write beside it.
    private static func checkWritable(_ path: String) throws {
        let directory = NewFile.directory(of: path)
        guard unsafe access(directory, W_OK) == 0 else {
            let reason = errno == EROFS ? "is on a read-only file system" : "cannot be written"
            throw StorageError(.unreadable, "\(directory) \(reason), and even reading a store writes beside it")
        }
    }

    /// SQLite's header, as far as it tells what the file is. File format, section 1.3.
    private static func checkHeader(_ path: String) throws -> StoreTag {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(.unreadable, path) }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 100)
        let count = unsafe header.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw failure(.unreadable, path) }
        guard count > 0 else { throw StorageError(.notAStore, "\(path) is empty; restore it from a backup") }
        guard count == header.count, header.starts(with: "SQLite format 3\0".utf8) else {
            throw StorageError(.notAStore, "\(path) is not a database")
        }
        guard number(in: header, at: 68) == UInt32(bitPattern: applicationID) else {
            throw StorageError(.notAStore, "\(path) belongs to another program")
        }
        let size = lseek(descriptor, 0, SEEK_END)
        let pageSize = UInt64(header[16]) << 8 | UInt64(header[17])
        let expected = UInt64(number(in: header, at: 28)) * (pageSize == 1 ? 65_536 : pageSize)
        // A log makes up for a file that a crash left short.
        guard size >= 0, UInt64(size) >= expected || hasLog(path) else {
            throw StorageError(.corrupt, "\(path) is truncated: \(size) of \(expected) bytes")
        }
        return StoreTag(value: Int32(bitPattern: number(in: header, at: 60)))
    }

    /// A big-endian number.
    private static func number(in header: [UInt8], at offset: Int) -> UInt32 {
        header[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func hasLog(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path + "-wal", &status) == 0 && status.st_size > 0
    }

    /// An error with the system's own words.
    static func failure(_ code: StorageError.Code, _ what: String) -> StorageError {
        let number = errno
        let text = unsafe String(cString: strerror(number))
        return StorageError(number == ENOSPC || number == EDQUOT ? .full : code, "\(what): \(text)")
    }
}
