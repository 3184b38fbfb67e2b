import Glibc

/// Which directory is the store: `--store`, else `COUNTERSIGN_STORE`, else `countersign` in the user's data directory.
enum StoreLocation {
    static func path(option: String?) throws(Failure) -> String {
        if let option {
            guard !option.isEmpty else { throw Failure(.refusedInput, "--store needs the name of a directory") }
            return option
        }
        if let store = variable("COUNTERSIGN_STORE") { return store }
        // The XDG specification: a relative path is to be ignored.
        if let data = variable("XDG_DATA_HOME"), data.utf8.first == UInt8(ascii: "/") { return data + "/countersign" }
        if let home = variable("HOME") { return home + "/.local/share/countersign" }
        throw Failure(
            .refusedInput, "it is not known where the store is: neither COUNTERSIGN_STORE nor HOME is set",
            advice: "Give it by --store DIR.")
    }

    /// An environment variable; an empty one counts as unset.
    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(validatingCString: value)
    }
}
