import Glibc

/// A file that appears whole or not at all: a full disk or a crash leaves the old one as it was.
enum AtomicFile {
    /// What happens to a file that is already there.
    enum Existing {
        case replace
        /// For secrets, which may be the only copy.
        case refuse
    }

    /// Writes a file with this mode, less what the umask takes. A symbolic link, and anything else that is no regular file, is refused.
    static func write(
        _ bytes: Span<UInt8>, to path: String, mode: mode_t, existing: Existing = .replace
    ) throws(Failure) {
        var status = stat()
        if unsafe lstat(path, &status) == 0 {
            guard FileStatus(status).isRegular else { throw notRegular(path, existing) }
            guard existing == .replace else { throw alreadyThere(path) }
        }
        let (directory, temporary) = try names(for: path)
        do throws(SystemError) {
            try create(temporary, bytes, mode)
            try move(temporary, to: path, existing)
        } catch {
            unsafe unlink(temporary)
            if error.number == EEXIST { throw alreadyThere(path) }
            let status: ExitStatus = [ENOSPC, EDQUOT, EIO].contains(error.number) ? .unavailable : .refusedInput
            throw Failure(status, "cannot write \(path): \(error.text)")
        }
        // The name itself is durable only with its directory; not every file system lets a directory be flushed.
        if let handle = try? Descriptor.open(directory, flags: O_RDONLY | O_DIRECTORY) { fsync(handle.number) }
    }

    private static func create(_ path: String, _ bytes: Span<UInt8>, _ mode: mode_t) throws(SystemError) {
        let file = try Descriptor.open(path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
        try file.writeAll(bytes)
        guard fsync(file.number) == 0 else { throw SystemError.last }
    }

    private static func move(_ temporary: String, to path: String, _ existing: Existing) throws(SystemError) {
        if existing == .replace {
            guard unsafe rename(temporary, path) == 0 else { throw SystemError.last }
        } else {
            // A second name fails where there is a first one, with no moment between the question and the deed.
            guard unsafe link(temporary, path) == 0 else { throw SystemError.last }
            unsafe unlink(temporary)
        }
    }

    /// The file's directory, and a name in it that nobody has.
    private static func names(for path: String) throws(Failure) -> (directory: String, temporary: String) {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let name = parts.last, !name.isEmpty else {
            throw Failure(.refusedInput, "'\(path)' is not the name of a file")
        }
        let directory = path.utf8.dropLast(name.count)
        let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
        let start = String(decoding: Array(directory), as: UTF8.self)
        return (start.isEmpty ? "." : start, "\(start).countersign-\(suffix)")
    }

    /// Refuses a name that is taken, before something is done whose result shall go there and cannot be had twice.
    static func refuseExisting(_ path: String) throws(Failure) {
        var status = stat()
        guard unsafe lstat(path, &status) != 0 else { throw alreadyThere(path) }
        _ = try names(for: path)
    }

    /// Refuses a name under which nothing can be written, before something long is done whose result shall go there.
    static func refuseUnwritable(_ path: String) throws(Failure) {
        var status = stat()
        if unsafe lstat(path, &status) == 0, !FileStatus(status).isRegular { throw notRegular(path, .replace) }
        let directory = try names(for: path).directory
        guard unsafe access(directory, W_OK | X_OK) == 0 else {
            throw Failure(.refusedInput, "cannot write \(path): \(SystemError.last.text)")
        }
    }

    private static func notRegular(_ path: String, _ existing: Existing) -> Failure {
        Failure(
            .refusedInput, "\(path) is not a regular file",
            advice: existing == .refuse
                ? "Give the name of a new file."
                : "Give the name of a file, or leave the option away.")
    }

    private static func alreadyThere(_ path: String) -> Failure {
        Failure(.refusedInput, "\(path) is already there", advice: "Give another name, or move it away first.")
    }
}
