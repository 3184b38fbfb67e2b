import CP256Table

/// Multiples of one P-256 public key, computed once in some 15 ms. Nothing changes them after that: threads share them.
@safe
final class P256Table: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// The table of the point with these coordinates of 32 bytes each; nil where this OpenSSL has no such tables.
    init?(x: [UInt8], y: [UInt8]) {
        CryptoLibrary.prepare()
        guard x.count == 32, y.count == 32, let pointer = unsafe countersign_p256_table_new([0x04] + x + y) else {
            return nil
        }
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe countersign_p256_table_free(pointer)
    }

    /// What a thread computes with, for any number of tables.
    @safe
    final class Workspace {
        fileprivate let pointer: OpaquePointer

        init?() {
            CryptoLibrary.prepare()
            guard let pointer = unsafe countersign_p256_work_new() else { return nil }
            unsafe self.pointer = unsafe pointer
        }

        deinit {
            unsafe countersign_p256_work_free(pointer)
        }
    }

    /// Which signatures are right. An entry is the SHA-256 of what was signed, r and s, 96 bytes; of each one that is wrong
    /// OpenSSL's own verification has the last word.
    func check(_ entries: [UInt8], with workspace: Workspace) -> [Bool] {
        let count = entries.count / Int(countersign_p256_entry)
        var verdicts = [UInt8](repeating: 0, count: count)
        unsafe entries.withUnsafeBufferPointer { entries in
            unsafe verdicts.withUnsafeMutableBufferPointer { verdicts in
                guard let entries = entries.baseAddress, let verdicts = verdicts.baseAddress else { return }
                var start = 0
                while start < count {
                    let size = min(count - start, Int(countersign_p256_batch))
                    unsafe countersign_p256_check(
                        pointer, workspace.pointer, entries + start * Int(countersign_p256_entry), size,
                        verdicts + start)
                    start += size
                }
            }
        }
        return verdicts.map { $0 == 1 }
    }
}
