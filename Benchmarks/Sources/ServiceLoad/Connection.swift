import Glibc

/// One keep-alive connection with at most one request on its way: HTTP/1.1, as far as our own servers need it.
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
            read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
        }
        guard got > 0 else { throw Fault("a connection was closed") }
        count += got
        guard let end = Self.endOfHead(input[..<count]) else { return nil }
        let head = input[..<end]
        let body = input[(end + 4)..<count]
        let length = Self.field("content-length", in: head).flatMap { Int($0) } ?? 0
        guard body.count >= length else { return nil }
        guard body.count == length else { throw Fault("more than was asked for") }
        count = 0
        isBusy = false
        return Answer(
            status: Int(String(decoding: head.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0, head: head, body: body)
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

    /// Where the empty line of a header begins.
    private static func endOfHead(_ bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while let line = bytes[index...].firstIndex(of: 0x0D), line + 3 < bytes.endIndex {
            if bytes[line + 1] == 0x0A, bytes[line + 2] == 0x0D, bytes[line + 3] == 0x0A { return line }
            index = line + 1
        }
        return nil
    }
}

/// What the load program cannot go on from.
struct Fault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
