internal import Glibc
internal import NIOPosix
internal import Synchronization

/// Writes lines to a descriptor on a thread of its own: a reader that stalls stops nobody. What does not fit into the
/// buffer is dropped, and counted.
package final class LogSink: Sendable {
    private struct State {
        var waiting: [UInt8] = []
        var dropped = 0
        var isWriting = false
    }

    /// The most bytes that wait.
    private static let limit = 1 << 20
    private let descriptor: Int32
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let state = Mutex(State())

    /// A sink over a descriptor, which stays open.
    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        thread.start()
    }

    /// Takes a line, which ends with a newline.
    package func write(_ line: [UInt8]) {
        let starts = state.withLock { state in
            guard state.waiting.count + line.count <= Self.limit else {
                state.dropped += 1
                return false
            }
            state.waiting += line
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard starts else { return }
        thread.submit { [self] _ in drain() }
    }

    /// Waits until everything is written.
    package func flush() {
        while state.withLock({ $0.isWriting }) { usleep(1000) }
    }

    private func drain() {
        while true {
            let bytes = state.withLock { state -> [UInt8] in
                if state.dropped > 0 {
                    let note =
                        "{\"level\":\"warning\",\"message\":\"log lines were dropped\",\"count\":\(state.dropped)}\n"
                    state.waiting += Array(note.utf8)
                    state.dropped = 0
                }
                defer { state.waiting = [] }
                state.isWriting = !state.waiting.isEmpty
                return state.waiting
            }
            guard !bytes.isEmpty else { return }
            Self.writeAll(bytes, to: descriptor)
        }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start)
            }
            if count < 0, errno == EINTR { continue }
            // A log that cannot be written is no reason to stop.
            guard count > 0 else { return }
            start += count
        }
    }
}
