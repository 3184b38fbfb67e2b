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
        case .terminal: return nil
        case .standardInput: return try read(Descriptor(borrowing: 0), name: "standard input")
        case .file(let path): return try read(open(path), name: path)
        }
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

    private func open(_ path: String) throws(Failure) -> Descriptor {
        do throws(SystemError) {
            let file = try Descriptor.reading(path)
            let status = try file.status()
            if status.isRegular && status.isOpenToOthers {
                Diagnosis.warn("others may read the password file \(path); `chmod 600` it")
            }
            return file
        } catch {
            throw Failure(.refusedInput, "cannot read the password file \(path.isEmpty ? "''" : path): \(error.text)")
        }
    }

    /// The first line without its newline, otherwise exactly as it is.
    private func read(_ file: borrowing Descriptor, name: String) throws(Failure) -> SecretBytes {
        let line: SecretLine?
        do throws(SystemError) {
            line = try SecretLine.read(from: file, limit: Self.limit)
        } catch {
            throw Failure(.refusedInput, "cannot read the password from \(name): \(error.text)")
        }
        guard let line else {
            throw Failure(.refusedInput, "the first line of \(name) is no password: more than \(Self.limit) bytes")
        }
        guard line.bytes.count > 0 else {
            throw Failure(
                .refusedInput, "there is no password in \(name)", advice: "Its first line must be the password.")
        }
        return line.bytes
    }
}
