/// Where a text comes from: the command line, a file or standard input. Its bytes are taken exactly as they are.
enum InputSource {
    case argument(String)
    case file(String)
    case standardInput

    /// `-` as a file name is standard input.
    init(file path: String) { self = path == "-" ? .standardInput : .file(path) }

    /// How messages call it.
    var name: String {
        switch self {
        case .argument: "the command line"
        case .file(let path): path.isEmpty ? "''" : path
        case .standardInput: "standard input"
        }
    }

    /// All of it.
    ///
    /// - Parameters:
    ///   - limit: The most bytes that are of any use; a longer text is refused without being read whole.
    ///   - what: What it is called in the refusal, such as "payload".
    func bytes(limit: Int, what: String) throws(Failure) -> [UInt8] {
        guard let bytes = try bytes(limit: limit) else {
            throw Failure(.refusedInput, "the \(what) from \(name) has more than \(limit) bytes")
        }
        return bytes
    }

    /// All of it, or nil where it has more than `limit` bytes.
    func bytes(limit: Int) throws(Failure) -> [UInt8]? {
        if case .argument(let text) = self { return Array(text.utf8) }
        do throws(SystemError) {
            return try open().readAll(limit: limit)
        } catch {
            throw Failure(.refusedInput, "cannot read \(name): \(error.text)")
        }
    }

    /// Which file it is; nil for the command line and for what is not there.
    var identity: FileStatus.Identity? {
        switch self {
        case .argument: nil
        case .file(let path): FileStatus(of: path)?.identity
        case .standardInput: try? Descriptor(borrowing: 0).status().identity
        }
    }

    /// The open file.
    func open() throws(SystemError) -> Descriptor {
        if case .file(let path) = self { return try Descriptor.reading(path) }
        return Descriptor(borrowing: 0)
    }
}
