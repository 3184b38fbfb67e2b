internal import Glibc

/// What the system knows of a file that must belong to its owner alone (K1).
struct FileStatus {
    private let mode: mode_t
    private let owner: uid_t

    var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
    private var isRegular: Bool { mode & S_IFMT == S_IFREG }
    private var isLink: Bool { mode & S_IFMT == S_IFLNK }

    /// The status of what is at `path`, without following a link; nil where nothing is.
    init?(of path: String) throws(StoreDirectoryError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw StoreDirectoryError(system: "\(path) cannot be looked at")
            }
            return nil
        }
        mode = status.st_mode
        owner = status.st_uid
        if isLink {
            throw StoreDirectoryError(.symbolicLink, "\(path) is a symbolic link, which a store must not have")
        }
    }

    /// The status of an open file.
    init(of descriptor: Int32, _ path: String) throws(StoreDirectoryError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw StoreDirectoryError(system: "\(path) cannot be looked at")
        }
        mode = status.st_mode
        owner = status.st_uid
    }

    /// Refuses what others may read or write, or own.
    func check(_ path: String) throws(StoreDirectoryError) {
        guard isDirectory || isRegular else {
            throw StoreDirectoryError(.noStore, "\(path) is neither a file nor a directory")
        }
        guard owner == geteuid() else {
            throw StoreDirectoryError(.wrongOwner, "\(path) belongs to another user")
        }
        guard mode & 0o077 == 0 else {
            let command = "chmod \(isDirectory ? "700" : "600") \(path)"
            throw StoreDirectoryError(
                .wrongMode, "\(path) may be used by others; if nobody has, repair it with `\(command)`")
        }
    }

    /// Refuses what is not a file, or not for its owner alone.
    func checkFile(_ path: String) throws(StoreDirectoryError) {
        guard isRegular else { throw StoreDirectoryError(.noStore, "\(path) is not a file") }
        try check(path)
    }
}
