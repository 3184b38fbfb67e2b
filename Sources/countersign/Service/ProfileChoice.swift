import CountersignClient
import Glibc

/// The profile that `profiles use` chose, kept as the one line of a file beside the profiles.
enum ProfileChoice {
    /// The profiles, in the user's own directory for settings.
    static func profiles() throws(Failure) -> ProfileDirectory {
        if let path = try directory() { return ProfileDirectory(path) }
        throw Failure(.refusedInput, "it is not known where the profiles are: neither XDG_CONFIG_HOME nor HOME is set")
    }

    private static func directory() throws(Failure) -> String? {
        try Environment.userDirectory("XDG_CONFIG_HOME", in: ".config")
    }

    /// The name; nil where none was chosen.
    static func read() throws(Failure) -> String? {
        guard let directory = try directory() else { return nil }
        let path = directory + "/profile"
        let bytes: [UInt8]?
        do throws(SystemError) {
            bytes = try Descriptor.reading(path).readAll(limit: 256)
        } catch {
            if error.number == ENOENT || error.number == ENOTDIR { return nil }
            throw Failure(.refusedInput, "cannot read \(path): \(error.text)")
        }
        guard let bytes, let text = String(validating: bytes, as: UTF8.self), text.last == "\n" else {
            throw Failure(
                .refusedInput, "\(path) does not name a profile",
                advice: "Choose one by `countersign profiles use NAME`, or none by `countersign profiles use --none`.")
        }
        return String(text.dropLast())
    }

    /// What to do where there is no store, but profiles; nil where there are none.
    static var advice: String? {
        guard let names = try? profiles().names(), !names.isEmpty else { return nil }
        return "For a service, choose one of its profiles by `countersign profiles use NAME`, or for one command by"
            + " --profile NAME: \(names.joined(separator: ", "))."
    }

    /// Chooses a profile; nil: none, so that the store in the user's data directory is worked on again.
    static func write(_ name: String?) throws(Failure) {
        let path = try profiles().path + "/profile"
        if let name {
            try StoreLocation.makeParents(of: path)
            try AtomicFile.write(Array("\(name)\n".utf8).span, to: path, mode: 0o600)
        } else if unsafe unlink(path) != 0, errno != ENOENT, errno != ENOTDIR {
            throw Failure(.refusedInput, "cannot remove \(path): \(SystemError.last.text)")
        }
    }
}
