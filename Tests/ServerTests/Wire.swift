import Glibc
import NIOPosix

/// What came back on one connection, byte for byte.
struct Answer: Sendable {
    let bytes: [UInt8]
    /// Whether the server closed the connection.
    let isClosed: Bool

    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The status of the first answer; 0 where there was none.
    var status: Int { Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    /// How many answers came.
    var count: Int { text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).count - 1 }
    /// The body of the first answer, and whatever follows.
    var body: String {
        guard let end = text.range(of: "\r\n\r\n") else { return "" }
        return String(text[end.upperBound...])
    }

    /// The first text of this name in the body.
    func member(_ name: String) -> String? {
        let rest = body.split(separator: "\"\(name)\":\"", maxSplits: 1)
        return rest.count == 2 ? rest[1].split(separator: "\"").first.map(String.init) : nil
    }

    /// The first number of this name in the body.
    func number(_ name: String) -> Int? {
        let rest = body.split(separator: "\"\(name)\":", maxSplits: 1)
        return rest.count == 2 ? Int(rest[1].prefix { $0.isNumber }) : nil
    }

    /// The value of a field of the first answer.
    func field(_ name: String) -> String? {
        for line in text.split(separator: "\r\n").prefix(while: { !$0.hasPrefix("{") }) {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name.lowercased() { return String(parts[1].dropFirst()) }
        }
        return nil
    }
}

extension String {
    fileprivate func range(of part: String) -> Range<Index>? { ranges(of: part).first }
}

/// A connection as a plain socket, so that a test may say whatever it likes. It waits on a thread of its own: those of the tests are
/// also the server's.
enum Wire {
    /// More than there are cores: some wait for an answer that comes only when another request was answered.
    static let threads: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: 64)
        threads.start()
        return threads
    }()

    /// Sends bytes and reads until the server closes the connection, or the first answer is whole, or the time is over.
    static func send(_ request: String, to port: Int, seconds: Int = 300, untilClosed: Bool = false) async throws
        -> Answer
    {
        try await send(Array(request.utf8), to: port, seconds: seconds, untilClosed: untilClosed)
    }

    static func send(
        _ bytes: [UInt8], to port: Int, seconds: Int = 300, untilClosed: Bool = false
    ) async throws -> Answer {
        try await threads.runIfActive { exchange(bytes, port, seconds, untilClosed) }
    }

    private static func exchange(_ bytes: [UInt8], _ port: Int, _ seconds: Int, _ untilClosed: Bool) -> Answer {
        guard let connection = Connection(to: port, seconds: seconds) else { return Answer(bytes: [], isClosed: true) }
        connection.send(bytes)
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe piece.withUnsafeMutableBytes {
                unsafe recv(connection.descriptor, $0.baseAddress, $0.count, 0)
            }
            guard count > 0 else { return Answer(bytes: answer, isClosed: count == 0) }
            answer += piece[..<count]
            if !untilClosed, isWhole(answer) { return Answer(bytes: answer, isClosed: false) }
        }
    }

    /// Whether the first answer has all of its body.
    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        let answer = Answer(bytes: bytes, isClosed: false)
        guard answer.text.contains("\r\n\r\n") else { return false }
        guard let length = answer.field("Content-Length").flatMap({ Int($0) }) else {
            return answer.field("Transfer-Encoding") == nil || answer.text.hasSuffix("0\r\n\r\n")
        }
        return answer.body.utf8.count >= length
    }
}

/// A connection that is open as long as the value is there.
final class Connection {
    let descriptor: Int32

    /// - Returns: nil where nobody listens.
    init?(to port: Int, seconds: Int = 300) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return nil }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            sent += count
        }
    }
}
