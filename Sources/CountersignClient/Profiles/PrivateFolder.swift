internal import CountersignKeys
internal import Glibc

/// A directory that belongs to its owner alone (0700) with files that do (0600): read without following links, written whole
/// or not at all.
final class PrivateFolder: Sendable {
    let path: String
    private let descriptor: Int32

    /// Opens a directory.
    ///
    /// - Throws: `local` where it is a link, belongs to somebody else, or can be used by others.
    convenience init(_ path: String) throws(ServiceError) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.error("\(path) cannot be opened") }
        try self.init(path, descriptor)
    }

    /// Takes an open directory.
    private init(_ path: String, _ descriptor: Int32) throws(ServiceError) {
        self.path = path
        self.descriptor = descriptor
        try Self.check(descriptor, path, isDirectory: true)
    }

    /// A directory in this one, which must be as private.
    func folder(_ name: String) throws(ServiceError) -> PrivateFolder {
        let inner = unsafe openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard inner >= 0 else { throw Self.error("\(path)/\(name) cannot be opened") }
        return try PrivateFolder("\(path)/\(name)", inner)
    }

    /// Makes a directory for the owner alone; one that is there already is opened.
    static func make(_ path: String) throws(ServiceError) -> PrivateFolder {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw error("\(path) cannot be made") }
        return try PrivateFolder(path)
    }

    deinit { close(descriptor) }

    /// The content of a file, in memory that is wiped; nil where there is none.
    func read(_ name: String, limit: Int) throws(ServiceError) -> SecretBytes? {
        let file = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.error("\(path)/\(name) cannot be read")
        }
        defer { close(file) }
        try Self.check(file, "\(path)/\(name)", isDirectory: false)
        var buffer = [UInt8](repeating: 0, count: limit + 1)
        defer { wipe(&buffer) }
        var count = 0
        while count < buffer.count {
            let room = buffer.count - count
            let taken = unsafe buffer.withUnsafeMutableBytes {
                unsafe Glibc.read(file, $0.baseAddress?.advanced(by: count), room)
            }
            if taken < 0, errno == EINTR { continue }
            guard taken >= 0 else { throw Self.error("\(path)/\(name) cannot be read") }
            if taken == 0 { break }
            count += taken
        }
        guard count <= limit else { throw .local("\(path)/\(name) is too long") }
        return SecretBytes(copying: buffer.span.extracting(0..<count))
    }

    /// Writes a file: it is there with all of its new content, or as it was.
    ///
    /// - Parameter replacing: false refuses where there is one already.
    func write(_ name: String, _ content: SecretBytes, replacing: Bool = true) throws(ServiceError) {
        let draft = ".\(name).\(getpid()).\(UInt32.random(in: 0 ... .max))"
        let file = unsafe openat(descriptor, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.error("\(path)/\(name) cannot be written") }
        let isWritten = content.withBytes { Self.write($0, to: file) }
        var isDone = isWritten && fchmod(file, 0o600) == 0 && fsync(file) == 0
        var number = errno
        if close(file) != 0, isDone { (isDone, number) = (false, errno) }
        if isDone {
            isDone =
                replacing
                ? unsafe renameat(descriptor, draft, descriptor, name) == 0
                : unsafe linkat(descriptor, draft, descriptor, name, 0) == 0
            number = errno
        }
        if !isDone || !replacing { unsafe unlinkat(descriptor, draft, 0) }
        guard isDone else { throw Self.error("\(path)/\(name) cannot be written", number) }
        fsync(descriptor)
    }

    /// Removes a file, if it is there.
    func remove(_ name: String) throws(ServiceError) {
        guard unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw Self.error("\(path)/\(name) cannot be removed")
        }
    }

    /// The names of all entries but `.` and `..`.
    func names() throws(ServiceError) -> [String] {
        guard let stream = unsafe opendir(path) else { throw Self.error("\(path) cannot be listed") }
        defer { unsafe _ = closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Takes a lock that one process, and one task of it, has at a time; nil where another has it. It ends with the value.
    func tryLock(_ name: String) throws(ServiceError) -> FolderLock? {
        let file = unsafe openat(descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.error("\(path)/\(name) cannot be locked") }
        let lock = FolderLock(file)
        try Self.check(file, "\(path)/\(name)", isDirectory: false)
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw Self.error("\(path)/\(name) cannot be locked") }
            return nil
        }
        return lock
    }

    // MARK: Inner parts

    /// Of what is open, not of what may stand at its path by now.
    private static func check(_ file: Int32, _ path: String, isDirectory: Bool) throws(ServiceError) {
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw error("\(path) cannot be looked at") }
        guard status.st_mode & S_IFMT == (isDirectory ? S_IFDIR : S_IFREG) else {
            throw .local("\(path) is not a \(isDirectory ? "directory" : "file")")
        }
        guard status.st_uid == geteuid() else { throw .local("\(path) belongs to another user") }
        guard status.st_mode & 0o077 == 0 else {
            let command = "chmod \(isDirectory ? "700" : "600") \(path)"
            throw .local("\(path) may be used by others; if nobody has, repair it with `\(command)`")
        }
    }

    private static func write(_ bytes: Span<UInt8>, to file: Int32) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let count = unsafe Glibc.write(file, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
    }

    static func error(_ text: String, _ number: Int32 = errno) -> ServiceError {
        if number == ELOOP { return .local(text + ": it is a symbolic link") }
        return .local(text + ": " + (unsafe String(cString: strerror(number))))
    }
}

/// A lock that ends with this value.
final class FolderLock: Sendable {
    private let file: Int32

    fileprivate init(_ file: Int32) { self.file = file }

    deinit { close(file) }
}
