import Glibc

/// A file's name that means the same from any directory.
enum AbsolutePath {
    /// The name without links and relative parts; nil where there is no such file, and `errno` says why.
    static func of(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(validatingCString: resolved)
    }
}
