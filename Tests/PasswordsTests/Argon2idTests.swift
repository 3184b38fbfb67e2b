import CArgon2
import CountersignKeys
import Passwords
import Testing

@Suite("Argon2id")
struct Argon2idTests {
    /// Passwords and their PHC strings, made with another program (argon2-cffi).
    static let known: [(password: [UInt8], phc: String)] = [
        (
            Array("password".utf8),
            "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE"
        ),
        (
            Array("password".utf8),
            "$argon2id$v=19$m=8,t=1,p=1$AAECAwQFBgcICQoLDA0ODw$OgCJY8Zff/pzMakLq9H9F+qfA70FNWuFfOtD97cICtw"
        ),
        (
            Array("pässwörd 👨‍👩‍👧".utf8),
            "$argon2id$v=19$m=64,t=3,p=4$/////////////////////w$efJNiysp4G/cyUpynt/3IeHg+hGD7IGSkJWu0MY3kqU"
        ),
        (
            Array(" trailing ".utf8),
            "$argon2id$v=19$m=256,t=2,p=2$MDEyMzQ1Njc4OWFiY2RlZg$9byrBXqvx6+uKNUC3JCPAfslURl4CZasecBXmq1dzoE"
        ),
        (
            [UInt8](repeating: 97, count: 1024),
            "$argon2id$v=19$m=32,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$AOe+DIR+lW6zS7e7BBUF+BhDbP32Qi1l8Qi4B6oLuRI"
        ),
    ]

    @Test("What another program hashed is matched, and written again the same", arguments: known)
    func matches(_ password: [UInt8], _ phc: String) async throws {
        let hash = try #require(PasswordHash(phc))
        #expect(hash.text == phc)
        let hasher = PasswordHasher(threads: 1, queueLimit: 0)
        #expect(try await hasher.reserve().matches(secret(password), hash))
        #expect(try await !hasher.reserve().matches(secret(password + [0]), hash))
        #expect(try await !hasher.reserve().matches(secret(password.dropLast() + [1]), hash))
    }

    @Test("One thread's memory serves hashes of all sizes, one after another")
    func sharedMemory() async throws {
        let hashes = try Self.known.map { (password: $0.password, hash: try #require(PasswordHash($0.phc))) }
        let hasher = PasswordHasher(threads: 1, queueLimit: 200)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<60 {
                let (password, hash) = hashes[(number * number + number / 7) % hashes.count]
                let place = try hasher.reserve()
                group.addTask { try await place.matches(secret(password), hash) }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(hasher.completed == 60)
    }

    @Test("Attack S14: exact bytes count: outer spaces, NUL and the form of an accent")
    func exactBytes() async throws {
        let hasher = PasswordHasher(threads: 1, queueLimit: 0)
        let right = "caf\u{E9} secret"
        let hash = try await hasher.reserve().hash(secret(right), cheap)
        for wrong in [
            "caf\u{E9} secret ", " caf\u{E9} secret", "cafe\u{301} secret", right + "\0", "Caf\u{E9} secret", "",
        ] {
            #expect(try await !hasher.reserve().matches(secret(wrong), hash), "\(wrong.unicodeScalars)")
        }
        #expect(try await hasher.reserve().matches(secret(right), hash))
    }

    @Test("Each hash has a salt of its own, and costs what was asked for")
    func salts() async throws {
        let hasher = PasswordHasher(threads: 1, queueLimit: 0)
        let first = try await hasher.reserve().hash(secret("password"), cheap)
        let second = try await hasher.reserve().hash(secret("password"), cheap)
        #expect(first.text != second.text)
        #expect(first.text.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
        #expect(PasswordHash(first.text) == first)
    }

    @Test("RFC 9106, section 5.3: the vector, with secret and associated data")
    func vector() {
        var (password, salt) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 16))
        var (key, associated) = ([UInt8](repeating: 3, count: 8), [UInt8](repeating: 4, count: 12))
        var tag = [UInt8](repeating: 0, count: 32)
        unsafe password.withUnsafeMutableBufferPointer { password in
            unsafe salt.withUnsafeMutableBufferPointer { salt in
                unsafe key.withUnsafeMutableBufferPointer { key in
                    unsafe associated.withUnsafeMutableBufferPointer { associated in
                        unsafe tag.withUnsafeMutableBufferPointer { tag in
                            var context = unsafe Argon2_Context(
                                out: tag.baseAddress, outlen: 32, pwd: password.baseAddress, pwdlen: 32,
                                salt: salt.baseAddress, saltlen: 16, secret: key.baseAddress, secretlen: 8,
                                ad: associated.baseAddress, adlen: 12, t_cost: 3, m_cost: 32, lanes: 4, threads: 4,
                                version: 0x13, allocate_cbk: nil, free_cbk: nil, flags: 0)
                            let status = unsafe argon2_ctx(&context, Argon2_id)
                            #expect(status == ARGON2_OK.rawValue)
                        }
                    }
                }
            }
        }
        let expected: [UInt8] = [
            0x0d, 0x64, 0x0d, 0xf5, 0x8d, 0x78, 0x76, 0x6c, 0x08, 0xc0, 0x37, 0xa3, 0x4a, 0x8b, 0x53, 0xc9,
            0xd0, 0x1e, 0xf0, 0x45, 0x2d, 0x75, 0xb6, 0x5e, 0xb5, 0x25, 0x20, 0xe9, 0x6b, 0x01, 0xe6, 0x59,
        ]
        #expect(tag == expected)
    }
}
