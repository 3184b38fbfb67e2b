import CP256Table

/// Multiples of one P-256 point, computed once in about 1 ms; 256 KiB. Nothing changes them after that: threads share them.
@safe
final class P256Table: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// Those of the curve's generator (SEC 2 section 2.4.2), which every signature takes.
    private static let base = P256Table([
        0x04,
        0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2,
        0x77, 0x03, 0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96,
        0x4F, 0xE3, 0x42, 0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C, 0x0F, 0x9E, 0x16,
        0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5,
    ])

    /// The table of the point with these coordinates of 32 bytes each; nil where there is no memory for it, and on machines
    /// without numbers of 128 bits.
    convenience init?(x: [UInt8], y: [UInt8]) {
        guard x.count == 32, y.count == 32 else { return nil }
        self.init([0x04] + x + y)
    }

    private init?(_ point: [UInt8]) {
        CryptoLibrary.prepare()
        guard let pointer = unsafe countersign_p256_table_new(point) else { return nil }
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe countersign_p256_table_free(pointer)
    }

    /// What a thread computes with, for any tables.
    @safe
    final class Workspace {
        private let pointer: OpaquePointer
        private let base: P256Table

        init?() {
            guard let base = P256Table.base, let pointer = unsafe countersign_p256_work_new() else { return nil }
            unsafe self.pointer = unsafe pointer
            self.base = base
        }

        deinit {
            unsafe countersign_p256_work_free(pointer)
        }

        /// Which signatures are right; of each one that is wrong OpenSSL's own verification has the last word.
        ///
        /// - Parameters:
        ///   - entries: 96 bytes for each: the SHA-256 of what was signed, r and s.
        ///   - tables: that of each one's key.
        func check(_ entries: [UInt8], of tables: [P256Table]) -> [Bool] {
            let size = Int(countersign_p256_entry)
            precondition(entries.count == tables.count * size)
            var verdicts = [UInt8](repeating: 0, count: tables.count)
            let pointers: [OpaquePointer?] = unsafe tables.map { unsafe $0.pointer }
            unsafe entries.withUnsafeBufferPointer { entries in
                unsafe pointers.withUnsafeBufferPointer { tables in
                    unsafe verdicts.withUnsafeMutableBufferPointer { verdicts in
                        for start in stride(from: 0, to: verdicts.count, by: Int(countersign_p256_batch)) {
                            let count = min(verdicts.count - start, Int(countersign_p256_batch))
                            guard let entries = entries.baseAddress, let tables = tables.baseAddress,
                                let verdicts = verdicts.baseAddress
                            else { return }
                            unsafe countersign_p256_check(
                                pointer, base.pointer, tables + start, entries + start * size, count, verdicts + start)
                        }
                    }
                }
            }
            withExtendedLifetime(tables) {}
            return verdicts.map { $0 == 1 }
        }
    }
}
