internal import CountersignKeys
internal import Passwords

/// The password of a step-up.
public enum PasswordSubjects {
    /// The password that is right.
    public static let password = Array("correct horse battery staple".utf8)

    /// Checks the right password against its hash, with the parameters of a new store.
    public static func checking() async throws -> (_ count: Int) async throws -> [[UInt8]] {
        let hasher = PasswordHasher(threads: 1, queueLimit: 1)
        let secret = SecretBytes(copying: password.span)
        let parameters = PasswordParameters.standard
        let hash = try await hasher.reserve().hash(secret, parameters)
        return { count in
            for _ in 0..<count {
                guard try await hasher.reserve().matches(secret, hash) else {
                    throw SubjectFailure("the right password was refused")
                }
            }
            return []
        }
    }
}
