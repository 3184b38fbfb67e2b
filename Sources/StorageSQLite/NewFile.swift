internal import Glibc
internal import Storage

/// A file that appears under its name only when it is whole, and never in the place of another.
enum NewFile {
    /// Makes a file at `path`, for its owner only.
    ///
    /// - Parameter fill: fills the empty file at the path that it is given, in the same directory.
    /// - Throws: `StorageError.Code.exists` where there is something at `path`, which is left as it was.
    static func make(at path: String, fill: (_ draft: String) throws -> Void) throws {
        let draft = "\(path).new-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
        let descriptor = unsafe open(draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreFile.failure(.unreadable, path) }
        // Closed before SQLite opens it: closing it later would drop SQLite's locks.
        close(descriptor)
        defer { for suffix in ["", "-journal", "-wal", "-shm"] { unsafe unlink(draft + suffix) } }
        try fill(draft)
        try sync(draft)
        guard unsafe link(draft, path) == 0 else {
            guard errno == EEXIST else { throw StoreFile.failure(.io, path) }
            throw StorageError(.exists, "there is a \(path) already")
        }
        try sync(directory(of: path))
    }

    /// Copies the bytes of one file into another that is there.
    static func copy(_ source: String, to target: String) throws {
        let input = unsafe open(source, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard input >= 0 else { throw StoreFile.failure(.unreadable, source) }
        defer { close(input) }
        let output = unsafe open(target, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        guard output >= 0 else { throw StoreFile.failure(.io, target) }
        defer { close(output) }
        while true {
            let count = sendfile(output, input, nil, 1 << 20)
            if count == 0 { return }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StoreFile.failure(errno == ENOSPC ? .full : .io, target) }
        }
    }

    /// Waits until the disk has it.
    private static func sync(_ path: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreFile.failure(.io, path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StoreFile.failure(.io, path) }
    }

    /// The directory that a file is in.
    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
