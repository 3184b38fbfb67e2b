import Foundation
import Glibc

/// A server that says one thing to whoever connects, whatever they ask.
final class CannedServer: Sendable {
    enum Reply: Sendable {
        /// These bytes, once a request came; then the end.
        case text(String)
        /// Nothing, ever.
        case silence
    }

    let port: Int
    private let descriptor: Int32
    private let connections: AsyncStream<Void>

    init(_ reply: Reply) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                unsafe bind(descriptor, name, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, name, &length) == 0
            }
        }
        guard isListening else { throw CocoaError(.fileReadUnknown) }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
        let (connections, connected) = AsyncStream<Void>.makeStream()
        self.connections = connections
        Thread.detachNewThread {
            var open: [Int32] = []
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                connected.yield()
                open.append(connection)
                guard case .text(let text) = reply else { continue }
                var request = [UInt8](repeating: 0, count: 4096)
                _ = unsafe recv(connection, &request, request.count, 0)
                // What came may be a secret that a test looks for in memory.
                for index in request.indices { request[index] = 0 }
                let bytes = Array(text.utf8)
                _ = unsafe Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                shutdown(connection, Int32(SHUT_WR))
            }
            for connection in open { close(connection) }
            close(descriptor)
        }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Waits until somebody connected.
    func connected() async {
        for await _ in connections { return }
    }
}
