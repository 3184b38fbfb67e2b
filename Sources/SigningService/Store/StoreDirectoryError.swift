internal import Glibc

/// Why a directory cannot be used as a store.
package struct StoreDirectoryError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Code: Sendable, Hashable, CaseIterable {
        /// There is nothing at this path, or something that is no store.
        case noStore
        /// Something is there already; it is never overwritten.
        case alreadyThere
        /// Others may read or write what only the owner may (K1).
        case wrongMode
        /// It belongs to somebody else (K1).
        case wrongOwner
        /// A symbolic link stands where a file must be (K1).
        case symbolicLink
        /// The master key does not have 32 bytes, or is not the one of this store.
        case wrongMasterKey
        /// The disk, or the owner's share of it, is full.
        case full
        /// The disk failed.
        case io
        /// The system refused.
        case system
    }

    /// What is wrong.
    package let code: Code
    /// What, and what to do about it.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// What the system says, of its last failure unless a number is given.
    init(system description: String, _ number: Int32 = errno) {
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT: .full
            case EIO: .io
            default: .system
            }
        self.init(code, "\(description): \(unsafe String(cString: strerror(number)))")
    }
}
