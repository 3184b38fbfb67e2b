import CountersignKeys

/// Where a password comes from: a file, standard input or the terminal. Never an argument, never the environment: both
/// can be read by others.
enum PasswordSource {
    case file(String)
    case standardInput
    case terminal

    /// The most bytes a password may have.
    static let limit = 1024

    /// The password that needs nobody at the terminal; nil where one must be asked for.
    func fixedPassword() throws(Failure) -> SecretBytes? {
        switch self {
        case .terminal: nil
        case .standardInput: try Self.read(Descriptor(borrowing: 0), "password", name: "standard input")
        case .file(let path): try Self.firstLine(of: path, "password")
        }
    }

    /// The first line of a file, without its newline: a password, or another secret that messages call `what`.
    static func firstLine(of path: String, _ what: String) throws(Failure) -> SecretBytes {
        try read(open(path, what), what, name: path)
    }

    /// Refuses to take the password from where something to be signed is read: it would become part of a statement. Nothing
    /// is read for it.
    func check(apartFrom other: InputSource) throws(Failure) {
        let input: InputSource? =
            switch self {
            case .terminal: nil
            case .standardInput: .standardInput
            case .file(let path): .file(path)
            }
        guard let input, let identity = input.identity, identity == other.identity else { return }
        throw Failure(
            .refusedInput, "payload and password cannot both come from \(other.name)",
            advice: "Nothing was read. Give the password by another file, or at the terminal.")
    }

    private static func open(_ path: String, _ what: String) throws(Failure) -> Descriptor {
        do throws(SystemError) {
            let file = try Descriptor.reading(path)
            let status = try file.status()
            if status.isRegular && status.isOpenToOthers {
                Diagnosis.warn("others may read the \(what) file \(path); `chmod 600` it")
            }
            return file
        } catch {
            throw Failure(.refusedInput, "cannot read the \(what) file \(path.isEmpty ? "''" : path): \(error.text)")
        }
    }

    /// The first line without its newline, otherwise exactly as it is.
    private static func read(
        _ file: borrowing Descriptor, _ what: String, name: String
    ) throws(Failure) -> SecretBytes {
        let line: SecretLine?
        do throws(SystemError) {
            line = try SecretLine.read(from: file, limit: limit)
        } catch {
            throw Failure(.refusedInput, "cannot read the \(what) from \(name): \(error.text)")
        }
        guard let line else {
            throw Failure(.refusedInput, "the first line of \(name) is no \(what): more than \(limit) bytes")
        }
        guard line.bytes.count > 0 else {
            throw Failure(
                .refusedInput, "there is no \(what) in \(name)", advice: "Its first line must be the \(what).")
        }
        return line.bytes
    }
}
