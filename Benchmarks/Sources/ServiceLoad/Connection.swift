import Glibc

/// One keep-alive connection with at most one request on its way: HTTP/1.1, as far as our own servers need it.
///
/// It shares the processors with the server that it measures: bytes are looked at once, and nothing is copied.
final class Connection {
    /// What came back.
    struct Answer {
        let status: Int
        let head: ArraySlice<UInt8>
        let body: ArraySlice<UInt8>
    }

    let descriptor: Int32
    /// When the request should have been sent, in nanoseconds; its answer's time is counted from here.
    var due: UInt64 = 0
    var isBusy = false
    /// Whatever the sender wants to remember of the request.
    var tag = 0
    private var input = [UInt8](repeating: 0, count: 32_768)
    private var count = 0

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard descriptor >= 0, status == 0 else { throw Fault("port \(port) cannot be reached") }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Sends a request, which is far smaller than the socket's buffer.
    func send(_ request: [UInt8], due: UInt64, tag: Int) throws {
        (self.due, self.tag, isBusy) = (due, tag, true)
        let sent = request.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard sent == request.count else { throw Fault("a request could not be sent") }
    }

    /// Reads what is there.
    ///
    /// - Returns: the answer, once it is whole. It holds until the next call.
    func receive() throws -> Answer? {
        let got = input.withUnsafeMutableBytes {
            read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - 1 - count)
        }
        guard got > 0 else { throw Fault("a connection was closed") }
        count += got
        // The end of text for C; what is text holds no other.
        input[count] = 0
        guard let (end, length) = Self.head(of: input) else { return nil }
        guard count - end >= length else { return nil }
        guard count - end == length else { throw Fault("more than was asked for") }
        defer { count = 0 }
        isBusy = false
        let status = input[9..<12].reduce(0) { $0 * 10 + Int($1) - 48 }
        return Answer(status: status, head: input[..<end], body: input[end..<count])
    }

    /// The value of a header field.
    static func field(_ name: String, in head: ArraySlice<UInt8>) -> String? {
        for line in head.split(separator: UInt8(ascii: "\n")) {
            guard line.count > name.utf8.count, line[line.startIndex + name.utf8.count] == UInt8(ascii: ":"),
                zip(line, name.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
            else { continue }
            let value = line.dropFirst(name.utf8.count + 1).filter { $0 != 0x0D && $0 != 0x20 }
            return String(decoding: value, as: UTF8.self)
        }
        return nil
    }

    /// Where the body begins, and how long it is; nil where the header is not whole.
    private static func head(of bytes: [UInt8]) -> (end: Int, length: Int)? {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress,
                let end = strstr(start, "\r\n\r\n")
            else { return nil }
            // Both servers spell it so.
            let field = strstr(start, "\r\nContent-Length: ")
            let length = field.flatMap { $0 < end ? strtol($0 + 18, nil, 10) : nil } ?? 0
            return (UnsafePointer(end) - start + 4, length)
        }
    }
}

/// What the load program cannot go on from.
struct Fault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
