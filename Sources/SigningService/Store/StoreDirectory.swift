package import CountersignKeys
internal import Glibc

/// The directory of a store: `store.sqlite` and `master.key`, for the eyes of its owner only: it is 0700,
/// they are 0600 (K1).
package struct StoreDirectory: Sendable {
    /// The directory's path.
    package let path: String
    /// The database's path.
    package var databasePath: String { "\(path)/store.sqlite" }
    var masterKeyPath: String { "\(path)/master.key" }

    static let masterKeyBytes = 32
    /// The name of the master key among a systemd service's credentials.
    static let credential = "countersign-master.key"

    /// An existing store.
    ///
    /// - Throws: `noStore`, `wrongMode`, `wrongOwner`, `symbolicLink`.
    package init(existing path: String) throws(StoreDirectoryError) {
        let path = Self.withoutTrailingSlashes(path)
        self.path = path
        let status = try FileStatus(of: path)
        guard let status, status.isDirectory else {
            throw StoreDirectoryError(
                .noStore, "there is no store at \(path); make one with `countersign init`, or name another with --store"
            )
        }
        guard let database = try FileStatus(of: databasePath) else {
            throw StoreDirectoryError(.noStore, "\(path) is not a store: it has no store.sqlite")
        }
        try status.check(path)
        try database.checkFile(databasePath)
    }

    /// A directory that is about to become a store. It exists already, empty, with mode 0700.
    init(new path: String) {
        self.path = path
    }

    /// Makes a new store. It is built beside its place and moved there when it is whole, so that nothing half-made is
    /// left.
    ///
    /// - Parameters:
    ///   - source: the store whose master key the new one takes over; nil makes a new key.
    ///   - build: makes `store.sqlite` in the directory that it is given.
    /// - Throws: `alreadyThere`, what the system says, and what `build` throws.
    package static func create(
        at path: String, withKeyOf source: StoreDirectory? = nil, build: (StoreDirectory) async throws -> Void
    ) async throws {
        let path = withoutTrailingSlashes(path)
        try refuseInsideStore(path)
        let draft = StoreDirectory(new: "\(path).new-\(try SecureRandom.uuid())")
        // The mode once more, since the umask may have taken the owner's own rights.
        guard unsafe mkdir(draft.path, 0o700) == 0, unsafe chmod(draft.path, 0o700) == 0 else {
            throw StoreDirectoryError(system: "\(path) cannot be made")
        }
        do {
            if let source { try draft.copyMasterKey(of: source, for: path) } else { try draft.makeMasterKey(for: path) }
            try await build(draft)
            try draft.move(to: path)
        } catch {
            draft.remove()
            throw error
        }
    }

    /// Takes its place, that of an empty directory too, and waits until that is on disk.
    private func move(to path: String) throws(StoreDirectoryError) {
        guard unsafe rename(self.path, path) == 0 else {
            if errno == EBUSY || errno == EINVAL {
                throw StoreDirectoryError(
                    .system, "\(path) is a mount point or the current directory; name a directory inside it")
            }
            throw [ENOTEMPTY, EEXIST, ENOTDIR].contains(errno)
                ? Self.alreadyThere(path)
                : StoreDirectoryError(system: "\(path) cannot be made")
        }
        let parent = unsafe open("\(path)/..", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { return }
        fsync(parent)
        close(parent)
    }

    /// Refuses a place inside a store: whoever restores or removes that one would not expect another in it.
    private static func refuseInsideStore(_ path: String) throws(StoreDirectoryError) {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let parent = names.isEmpty ? "." : names.joined(separator: "/")
        guard try FileStatus(of: "\(parent)/store.sqlite") == nil else {
            throw StoreDirectoryError(.alreadyThere, "\(parent) is a store; name a place outside of it")
        }
    }

    private static func alreadyThere(_ path: String) -> StoreDirectoryError {
        StoreDirectoryError(.alreadyThere, "\(path) exists already, and a store is never overwritten")
    }

    /// `store/` and `store` are one path; only without the slash does a link show as a link.
    private static func withoutTrailingSlashes(_ path: String) -> String {
        var path = path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        return path
    }

    /// Removes a draft, or a store that was made to be thrown away: the files that a store has, then the directory.
    package func remove() {
        for name in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal", "master.key"] {
            unsafe unlink("\(path)/\(name)")
        }
        unsafe rmdir(path)
    }

    // MARK: The master key

    /// The key under which private keys are sealed: `master.key`, or the systemd credential where there is no such
    /// file.
    package func masterKey() throws -> AEADKey {
        let path: String
        if try FileStatus(of: masterKeyPath) == nil, let folder = Self.environment("CREDENTIALS_DIRECTORY") {
            path = "\(folder)/\(Self.credential)"
        } else {
            path = masterKeyPath
        }
        let bytes = try SecretFile.read(path, limit: Self.masterKeyBytes + 1)
        guard bytes.count == Self.masterKeyBytes else {
            throw StoreDirectoryError(.wrongMasterKey, "\(path) does not hold \(Self.masterKeyBytes) bytes")
        }
        return try AEADKey(bytes)
    }

    private func makeMasterKey(for place: String) throws {
        var random = try SecureRandom.bytes(Self.masterKeyBytes)
        defer { wipe(&random) }
        try SecretFile.write(SecretBytes(copying: random.span), to: masterKeyPath, named: "\(place)/master.key")
    }

    /// Copies the master key's file. Where the key is a systemd credential there is none, and the copy needs the
    /// credential too.
    private func copyMasterKey(of source: StoreDirectory, for place: String) throws {
        guard try FileStatus(of: source.masterKeyPath) != nil else { return }
        let key = try SecretFile.read(source.masterKeyPath, limit: Self.masterKeyBytes + 1)
        try SecretFile.write(key, to: masterKeyPath, named: "\(place)/master.key")
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
