internal import Glibc

/// Memory for one hash after another: a thread keeps it as long as it hashes, and libargon2 wipes it after each.
///
/// It comes straight from the system and goes back there, since malloc would keep some 20 MiB for each thread that ever hashed; and in large
/// pages where there are any, since a hash jumps about in it. Clearing new memory in small pages takes a quarter of the time of a hash.
@safe final class HashingMemory {
    private var mapping = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// What x86-64 and most of arm64 have as the larger page.
    private static let largePage = 2 << 20

    deinit { unmap() }

    /// Memory of at least so many bytes.
    ///
    /// - Throws: `outOfMemory` where the system has none to give.
    func withBytes<Result>(
        _ count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Result
    ) throws(PasswordError) -> Result {
        let spare = count < Self.largePage ? 0 : Self.largePage
        if unsafe mapping.count < count + spare { try map(count + spare) }
        guard let start = unsafe mapping.baseAddress else { throw Self.shortage }
        let first = unsafe spare > 0 ? start.alignedUp(toMultipleOf: spare) : start
        return unsafe body(UnsafeMutableRawBufferPointer(start: first, count: count))
    }

    private static var shortage: PasswordError { PasswordError(.outOfMemory, "no memory for a hash") }

    private func map(_ count: Int) throws(PasswordError) {
        unmap()
        let start = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else { throw Self.shortage }
        unsafe mapping = UnsafeMutableRawBufferPointer(start: start, count: count)
        // Advice: where the system does not take it the hash is only slower.
        unsafe madvise(start, count, MADV_HUGEPAGE)
    }

    private func unmap() {
        guard let start = unsafe mapping.baseAddress else { return }
        unsafe munmap(start, mapping.count)
        unsafe mapping = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
}
