import COpenSSL
import Glibc

/// Bytes that are wiped when nobody holds them any more. They live on pages of their own, which are locked in memory and
/// left out of core files where the system allows it.
@safe
package final class SecretBytes: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
    // Never written after the initialiser, which is what makes the class Sendable.
    private let storage: UnsafeMutableRawBufferPointer

    /// The number of bytes.
    package let count: Int

    /// A copy. The caller wipes the original, if it is the caller's: see `wipe(_:)`.
    package convenience init(copying bytes: Span<UInt8>) {
        self.init(capacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
    }

    /// Exactly `count` bytes, all zero, that the closure fills in place. If it throws, they are wiped.
    package init<Failure: Error>(
        count: Int, initializingWith body: (inout MutableSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let storage = unsafe Self.allocate(count)
        unsafe self.storage = unsafe storage
        self.count = count
        let bytes = unsafe UnsafeMutableBufferPointer(rebasing: storage.bindMemory(to: UInt8.self).prefix(count))
        var span = unsafe bytes.mutableSpan
        try body(&span)
    }

    /// At most `capacity` bytes, as many as the closure appends: for input whose length is not known before.
    package init<Failure: Error>(
        capacity: Int, initializingWith body: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        let storage = unsafe Self.allocate(capacity)
        let bytes = unsafe UnsafeMutableBufferPointer(rebasing: storage.bindMemory(to: UInt8.self).prefix(capacity))
        var output = unsafe OutputSpan(buffer: bytes, initializedCount: 0)
        do {
            try body(&output)
        } catch {
            unsafe Self.release(storage)
            throw error
        }
        unsafe self.storage = unsafe storage
        count = unsafe output.finalize(for: bytes)
    }

    deinit {
        unsafe Self.release(storage)
    }

    /// Lends the bytes for the time of the closure.
    package func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: storage.prefix(count))
        return try body(unsafe bytes.bindMemory(to: UInt8.self).span)
    }

    /// Always the same: a secret must not end in a log.
    package var description: String { "SecretBytes" }

    /// Shows nothing, so that `dump` and a debugger's printing do not either.
    package var customMirror: Mirror { Mirror(self, children: []) }

    private static func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let size = max(1, (count + page - 1) / page) * page
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: page)
        unsafe storage.initializeMemory(as: UInt8.self, repeating: 0)
        // Both may be refused (limits of the process); then the bytes are still wiped in the end.
        unsafe _ = mlock(storage.baseAddress, size)
        unsafe _ = madvise(storage.baseAddress, size, Int32(MADV_DONTDUMP))
        return unsafe storage
    }

    private static func release(_ storage: UnsafeMutableRawBufferPointer) {
        unsafe OPENSSL_cleanse(storage.baseAddress, storage.count)
        unsafe _ = madvise(storage.baseAddress, storage.count, Int32(MADV_DODUMP))
        unsafe _ = munlock(storage.baseAddress, storage.count)
        unsafe storage.deallocate()
    }
}

/// Overwrites an array that held a secret, in a way that the compiler may not leave out, and empties it. An array of
/// which there is a second owner is copied before it is written to: wipe it where it was made.
package func wipe(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    }
    bytes.removeAll()
}

/// Whether two runs of bytes are equal, in a time that depends on their lengths only.
package func constantTimeEqual(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
    guard first.count == second.count else { return false }
    guard !first.isEmpty else { return true }
    return unsafe first.withUnsafeBufferPointer { first in
        unsafe second.withUnsafeBufferPointer { second in
            unsafe CRYPTO_memcmp(first.baseAddress, second.baseAddress, first.count) == 0
        }
    }
}
