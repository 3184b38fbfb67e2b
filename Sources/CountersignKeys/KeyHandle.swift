import COpenSSL

/// The owner of one of OpenSSL's keys. The key is never changed after it was made, which is what lets threads share it.
@safe
final class KeyHandle: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(takingOwnershipOf pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// Lends the key for the time of the closure.
    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(pointer)
    }
}
