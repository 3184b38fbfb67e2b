import Glibc

/// The environment variables that say where things are. None of them is ever a secret.
enum Environment {
    /// A variable; an empty one counts as unset. One that is not UTF-8 is refused: without it, another place would be used
    /// than the one that is named.
    static func variable(_ name: String) throws(Failure) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        guard let text = unsafe String(validatingCString: value) else {
            throw Failure(
                .refusedInput, "the environment variable \(name) is not valid UTF-8",
                advice: "Change it, or name the store by --store DIR.")
        }
        return text
    }

    /// `countersign` in one of the user's own directories (the XDG specification, which ignores relative paths); nil
    /// where neither variable is set.
    static func userDirectory(_ name: String, in home: String) throws(Failure) -> String? {
        if let base = try variable(name), base.utf8.first == UInt8(ascii: "/") { return base + "/countersign" }
        return try variable("HOME").map { "\($0)/\(home)/countersign" }
    }
}
