internal import Glibc
internal import NIOCore

/// Why the service cannot listen where it should.
package struct ListenError: Error, Sendable, CustomStringConvertible {
    /// Where, and what the system says.
    package let description: String

    init(_ host: String, _ port: Int, _ error: IOError) {
        let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        description = "cannot listen on \(host):\(port): \(unsafe String(cString: strerror(error.errnoCode)))"
    }
}
