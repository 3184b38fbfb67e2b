import Glibc

/// An open file, closed when its owner goes. Calls that a signal interrupted are made again.
struct Descriptor: ~Copyable {
    let number: Int32
    private let isOwned: Bool

    init(takingOwnershipOf number: Int32) {
        self.number = number
        isOwned = true
    }

    /// A descriptor that somebody else closes, such as standard input.
    init(borrowing number: Int32) {
        self.number = number
        isOwned = false
    }

    /// Opens a file for reading. A directory is refused here, not by the first read.
    static func reading(_ path: String) throws(SystemError) -> Descriptor {
        let file = try open(path, flags: O_RDONLY)
        if try file.status().isDirectory { throw SystemError(number: EISDIR) }
        return file
    }

    /// `open(2)`, close-on-exec always; `mode` counts only with `O_CREAT`.
    static func open(_ path: String, flags: Int32, mode: mode_t = 0) throws(SystemError) -> Descriptor {
        while true {
            let number = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
            if number >= 0 { return Descriptor(takingOwnershipOf: number) }
            guard errno == EINTR else { throw SystemError.last }
        }
    }

    deinit { if isOwned { close(number) } }

    /// What `fstat` says of the file.
    func status() throws(SystemError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw SystemError.last }
        return FileStatus(status)
    }

    /// Reads once. Returns how many bytes came, 0 at the end of the file.
    func read(into space: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = unsafe Glibc.read(number, space.baseAddress, space.count)
            if count >= 0 { return count }
            guard errno == EINTR else { throw SystemError.last }
        }
    }

    /// Reads once, behind what is there, so that it has at most `limit` bytes; false at the end of the file.
    func append(to buffer: inout [UInt8], upTo limit: Int) throws(SystemError) -> Bool {
        let start = buffer.count
        var problem: SystemError?
        buffer.append(addingCapacity: limit - start) { space in
            unsafe space.withUnsafeMutableBufferPointer { free, count in
                do throws(SystemError) {
                    count = try unsafe read(into: UnsafeMutableRawBufferPointer(free))
                } catch {
                    problem = error
                }
            }
        }
        if let problem { throw problem }
        return buffer.count > start
    }

    /// Reads to the end of the file, at most `limit` bytes; nil when the file is longer.
    func readAll(limit: Int) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        while try append(to: &bytes, upTo: limit + 1) {
            if bytes.count > limit { return nil }
        }
        return bytes
    }

    /// Writes all of `bytes`, however many calls that takes.
    func writeAll(_ bytes: Span<UInt8>) throws(SystemError) {
        try unsafe bytes.withUnsafeBytes { (whole) throws(SystemError) -> Void in
            var rest = unsafe whole[...]
            while unsafe !rest.isEmpty {
                let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
                let count = unsafe write(number, part.baseAddress, part.count)
                if count >= 0 {
                    unsafe rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    throw SystemError.last
                }
            }
        }
    }

    /// Where the next read or write begins; nil for a pipe.
    var position: Int? {
        let position = lseek(number, 0, SEEK_CUR)
        return position < 0 ? nil : Int(position)
    }

    /// Lets the next read or write begin `position` bytes behind the start.
    func seek(to position: Int) throws(SystemError) {
        guard lseek(number, position, SEEK_SET) >= 0 else { throw SystemError.last }
    }

    /// Cuts a file that is longer.
    func truncate(to count: Int) throws(SystemError) {
        while ftruncate(number, count) != 0 {
            guard errno == EINTR else { throw SystemError.last }
        }
    }

    /// Whether a person sits at the other end.
    var isTerminal: Bool { isatty(number) == 1 }
}

/// The few facts of a file that commands decide by.
struct FileStatus {
    let isRegular: Bool
    let isDirectory: Bool
    let size: Int
    /// When its content was last changed: seconds since 1970, and nanoseconds.
    let changed: (seconds: Int64, nanoseconds: Int64)
    /// Anybody but its owner may read or write it.
    let isOpenToOthers: Bool
    /// Which file it is, whatever it is called.
    let identity: Identity

    struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t
    }

    /// The file that a path leads to, links followed; nil where there is none.
    init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        size = Int(status.st_size)
        changed = (Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec))
        isOpenToOthers = status.st_mode & 0o077 != 0
        identity = Identity(device: status.st_dev, inode: status.st_ino)
    }
}
