internal import Passwords

/// The hash of a password, by libargon2's own call and with the parameters of a new store.
public enum SubjectHash {
    /// How far the service's hashing threads stand back for others.
    public static let niceness = PasswordHasher.serviceNiceness

    /// Computes one.
    public static func compute() throws {
        try PlainArgon2id.hash(Array(SubjectStore.password.utf8), .standard)
    }
}
