internal import Synchronization

/// The newest nonce of one server (RFC 9449 section 8.2).
final class NonceBox: Sendable {
    private let newest: Mutex<String?>

    init(_ nonce: String? = nil) { newest = Mutex(nonce) }

    var nonce: String? { newest.withLock { $0 } }

    /// Keeps a nonce, if it can be one.
    func take(_ nonce: String) {
        guard (1...256).contains(nonce.utf8.count), nonce.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return
        }
        newest.withLock { $0 = nonce }
    }
}
