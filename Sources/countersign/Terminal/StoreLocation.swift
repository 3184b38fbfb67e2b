import CountersignJOSE
import Glibc

/// Which directory is the store.
enum StoreLocation {
    /// The directory that a person named.
    static func path(named name: String) throws(Failure) -> String {
        // `store/` is `store`: a new store is built beside it.
        var path = name
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        guard !path.isEmpty else { throw Failure(.refusedInput, "'' is not the name of a directory") }
        return path
    }

    /// `countersign` in the user's data directory.
    static func standard() throws(Failure) -> String {
        if let path = try Environment.userDirectory("XDG_DATA_HOME", in: ".local/share") { return path }
        throw Failure(
            .refusedInput, "it is not known where the store is: neither COUNTERSIGN_STORE nor HOME is set",
            advice: "Give it by --store DIR.")
    }

    /// Makes the user's data directory where it is missing and the store shall be in it. For any other place a missing directory
    /// is more likely a mistake.
    static func prepare(_ path: String) throws(Failure) {
        guard let standard = try? standard(), standard.hasSameUTF8(as: path) else { return }
        try makeParents(of: path)
    }

    /// Makes the directories above a path, for their owner alone.
    static func makeParents(of path: String) throws(Failure) {
        var parent = ""
        for part in path.utf8.split(separator: UInt8(ascii: "/")).dropLast() {
            parent += "/" + String(decoding: Array(part), as: UTF8.self)
            guard unsafe mkdir(parent, 0o700) == 0 || errno == EEXIST || errno == EISDIR || errno == EROFS else {
                throw Failure(.refusedInput, "\(parent) cannot be made: \(SystemError.last.text)")
            }
        }
    }
}
