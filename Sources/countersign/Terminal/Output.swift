import Glibc

/// Standard output: buffered, and every write checked, so that a full disk or a closed stream is never exit 0.
final class Output {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private static let bufferSize = 65_536

    init(_ descriptor: Int32 = STDOUT_FILENO) { self.descriptor = descriptor }

    /// Whether a person reads it.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    func write(_ text: String) throws(Failure) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    func writeLine(_ text: String) throws(Failure) { try write(text + "\n") }

    /// Prints the result of what is done and cannot be undone. Where it is lost, the advice says how to find it, so that
    /// nobody does it again.
    func writeLast(_ text: String, otherwise advice: String) throws(Failure) {
        do throws(Failure) {
            try write(text)
            try flush()
        } catch {
            throw Failure(error.status, error.message, advice: advice)
        }
    }

    /// Hands everything to the system. Every command ends with it.
    func flush() throws(Failure) {
        defer { buffer.removeAll(keepingCapacity: true) }
        try Self.send(buffer.span, to: descriptor)
    }

    /// Writes at once, past any buffer: for those who collect whole blocks themselves, on any thread.
    static func send(_ bytes: Span<UInt8>, to descriptor: Int32 = STDOUT_FILENO) throws(Failure) {
        guard !bytes.isEmpty else { return }
        do throws(SystemError) {
            try Descriptor(borrowing: descriptor).writeAll(bytes)
        } catch {
            // The parent may have had SIGPIPE blocked: end as quietly as other tools do.
            if error.number == EPIPE { Signals.die(by: SIGPIPE) }
            throw Failure(
                .unavailable, "the output could not be written: \(error.text)",
                advice: "What was printed so far is not complete. Free some space or give another output, then retry.")
        }
    }
}
