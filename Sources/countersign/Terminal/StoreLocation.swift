import Glibc

/// Which directory is the store: `--store`, else `COUNTERSIGN_STORE`, else `countersign` in the user's data directory.
enum StoreLocation {
    static func path(option: String?) throws(Failure) -> String { try location(option).path }

    /// The same for a store that is to be made. The user's data directory is made where it is missing; for any other
    /// place a missing directory is more likely a mistake.
    static func newPath(option: String?) throws(Failure) -> String {
        let (path, isDefault) = try location(option)
        if isDefault { try makeParents(of: path) }
        return path
    }

    private static func location(_ option: String?) throws(Failure) -> (path: String, isDefault: Bool) {
        let named = if let option { option } else { try variable("COUNTERSIGN_STORE") }
        if let named {
            // `store/` is `store`: the new store is built beside it.
            var path = named
            while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
            guard !path.isEmpty else { throw Failure(.refusedInput, "'' is not the name of a directory") }
            return (path, false)
        }
        return (try defaultPath(), true)
    }

    private static func defaultPath() throws(Failure) -> String {
        // The XDG specification: a relative path is to be ignored.
        if let data = try variable("XDG_DATA_HOME"), data.utf8.first == UInt8(ascii: "/") {
            return data + "/countersign"
        }
        if let home = try variable("HOME") { return home + "/.local/share/countersign" }
        throw Failure(
            .refusedInput, "it is not known where the store is: neither COUNTERSIGN_STORE nor HOME is set",
            advice: "Give it by --store DIR.")
    }

    private static func makeParents(of path: String) throws(Failure) {
        var parent = ""
        for part in path.utf8.split(separator: UInt8(ascii: "/")).dropLast() {
            parent += "/" + String(decoding: Array(part), as: UTF8.self)
            guard unsafe mkdir(parent, 0o700) == 0 || errno == EEXIST || errno == EISDIR || errno == EROFS else {
                throw Failure(.refusedInput, "\(parent) cannot be made: \(SystemError.last.text)")
            }
        }
    }

    /// An environment variable; an empty one counts as unset. One that is not UTF-8 is refused: without it, another
    /// store would be used than the one that is named.
    private static func variable(_ name: String) throws(Failure) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        guard let text = unsafe String(validatingCString: value) else {
            throw Failure(
                .refusedInput, "the environment variable \(name) is not valid UTF-8",
                advice: "Change it, or name the store by --store DIR.")
        }
        return text
    }
}
