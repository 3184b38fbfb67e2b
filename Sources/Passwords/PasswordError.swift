/// Why a password could not be hashed.
package struct PasswordError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    package enum Code: Sendable, Hashable {
        /// So many are being hashed or wait for it that no more are taken.
        case busy
        /// There is not enough memory for the hash.
        case outOfMemory
        /// libargon2 or the random source failed.
        case failed
    }

    /// What went wrong.
    package let code: Code
    /// More for the operator. Never anything of the password.
    package let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// What went wrong, for the operator.
    package var description: String { detail }
}
