import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Testing

@Suite("What a trust store says of a key id")
struct EntryTableTests {
    @Test(
        "Each of many keys is found, none that is not there, and a key that is named twice counts once",
        arguments: [1, 2, 3, 8, 41])
    func found(count: Int) throws {
        let keys = try (0..<count).map { _ in TrustedKey(key: try PrivateKey(generating: .edDSA).publicKey) }
        let store = TrustStore(keys: keys + keys.reversed())
        #expect(store.keyCount == count)
        for key in keys {
            #expect(store.key(Thumbprint.sha256(of: key.key), signingAt: 0) == key.key)
        }
        let stranger = try PrivateKey(generating: .edDSA).publicKey
        for id in [Thumbprint.sha256(of: stranger), "", "-", "zz"] { #expect(store.key(id, signingAt: 0) == nil) }
    }

    @Test(
        "Of what is said twice of a key the last holds")
    func last() throws {
        let (first, second) = (
            try PrivateKey(generating: .es256).publicKey, try PrivateKey(generating: .es256).publicKey
        )
        let keys = [first, first, second].map { TrustedKey(key: $0) }
        let revoked = TrustedKey(
            key: first, revocation: TrustedKey.Revocation(at: 0, reason: .compromised))
        #expect(TrustStore(keys: keys + [revoked]).key(Thumbprint.sha256(of: first), signingAt: 5) == nil)
        #expect(TrustStore(keys: [revoked] + keys).key(Thumbprint.sha256(of: first), signingAt: 5) == first)
    }
}
