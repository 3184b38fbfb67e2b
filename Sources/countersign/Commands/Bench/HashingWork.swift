import Passwords

/// libargon2 hashes passwords, with the parameters of a new store.
final class PlainHashing: ThreadWork {
    private let password = Array("correct horse battery staple".utf8)

    func run(_ count: Int) throws -> Int {
        for _ in 0..<count { try PlainArgon2id.hash(password, .standard) }
        return count
    }

    func check() {}
}
