import CountersignKeys
import Testing

@Suite("Random bytes and hashes")
struct SecureRandomTests {
    @Test("K7: a UUID does not come twice, and is a version 4 in lower case")
    func uuids() throws {
        var seen = Set<String>()
        var malformed = 0
        let digits = Set("0123456789abcdef")
        for _ in 0..<100_000 {
            let uuid = try SecureRandom.uuid()
            let parts = uuid.split(separator: "-", omittingEmptySubsequences: false)
            let isSound =
                parts.map(\.count) == [8, 4, 4, 4, 12] && parts.joined().allSatisfy(digits.contains)
                && parts[2].first == "4" && "89ab".contains(parts[3].first ?? "-")
            if !isSound { malformed += 1 }
            seen.insert(uuid)
        }
        #expect(seen.count == 100_000)
        #expect(malformed == 0)
    }

    @Test("As many bytes as asked for", arguments: [0, 1, 32, 100_000])
    func counts(_ count: Int) throws {
        #expect(try SecureRandom.bytes(count).count == count)
    }

    @Test("K7: r of an ECDSA signature does not come twice")
    func nonces() throws {
        let signer = try PrivateKey(generating: .es256).makeSigner()
        let message: [UInt8] = [1]
        var seen = Set<[UInt8]>()
        for _ in 0..<20_000 { seen.insert(Array(try signer.sign(message.span).prefix(32))) }
        #expect(seen.count == 20_000)
    }

    @Test("SHA-256 is FIPS 180-4's, whole and in pieces")
    func sha256() throws {
        let vectors = [
            "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq":
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ]
        for (text, hex) in vectors {
            let bytes = Array(text.utf8)
            let expected = try #require([UInt8](hex: hex))
            var digest = SHA256()
            for byte in bytes { digest.update([byte].span) }
            let inPieces = digest.finalize()
            let whole = SHA256.hash(bytes.span)
            #expect(whole == expected)
            #expect(inPieces == expected)
        }
    }

    @Test("The library says its version")
    func version() {
        CryptoLibrary.prepare()
        #expect(CryptoLibrary.version.hasPrefix("OpenSSL "))
    }
}
