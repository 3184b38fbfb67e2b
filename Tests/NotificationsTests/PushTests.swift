import CountersignJOSE
import CountersignKeys
import CountersignVerifier
import Notifications
import Signing
import Testing

@Suite("Push challenges and tokens")
struct PushTests {
    private let device = UUIDText("3f2b8c4e-9d1a-4e7b-8a6c-2b1d0f9e8c7a")
    private let id = UUIDText("0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a11")

    private func claims(until end: Int64, at now: Int64, issuer: String = "https://sign.example") -> PushClaims? {
        guard let device, let id else { return nil }
        return PushClaims(
            issuer: issuer, device: device, notification: id, matter: "message", until: end, at: now, id: id)
    }

    @Test("A challenge ends with its notification, rounded up to a second, and later than it begins")
    func times() throws {
        for (now, end, seconds) in [
            (1_000, 1_001, 2), (1_000, 2_000, 2), (1_999, 2_000, 2), (1_999, 2_001, 3), (0, 1, 1),
        ] as [(Int64, Int64, Int64)] {
            let claims = try #require(self.claims(until: end, at: now))
            #expect(claims.issuedAt == now / 1000 && claims.expiresAt == seconds, "\(now) \(end)")
        }
        #expect(claims(until: 5, at: 5) == nil)
        #expect(claims(until: .max, at: 0) == nil)
    }

    @Test("What is signed is read again; a stranger's key is not believed", arguments: KeyAlgorithm.allCases)
    func roundTrip(_ algorithm: KeyAlgorithm) throws {
        let claims = try #require(self.claims(until: 310_000, at: 10_000))
        let key = try PrivateKey(generating: algorithm)
        let text = try claims.signed(by: key, keyID: Thumbprint.sha256(of: key.publicKey))
        let read = try #require(try UnverifiedPushChallenge.read(Array(text.utf8)))
        let trust = TrustStore(keys: [TrustedKey(key: key.publicKey)])
        let issuer = "https://sign.example"
        #expect(
            try read.verified(by: trust, issuer: issuer, at: 10_000, allowedClockSkewInSeconds: 0) == claims)
        let stranger = TrustStore(keys: [TrustedKey(key: try PrivateKey(generating: algorithm).publicKey)])
        let retired = TrustStore(keys: [TrustedKey(key: key.publicKey, notBefore: 0, notAfter: 9)])
        for trust in [stranger, retired] {
            #expect(throws: PushFault.untrusted) {
                try read.verified(by: trust, issuer: issuer, at: 10_000, allowedClockSkewInSeconds: 0)
            }
        }
    }

    @Test("A statement is no challenge, and no text of any length traps")
    func hostile() throws {
        var random = SystemRandomNumberGenerator()
        let claims = try #require(self.claims(until: 310_000, at: 10_000))
        let key = try PrivateKey(generating: .es256)
        let good = Array(try claims.signed(by: key, keyID: Thumbprint.sha256(of: key.publicKey)).utf8)
        for count in 0...good.count { _ = try? UnverifiedPushChallenge.read(Array(good.prefix(count))) }
        for _ in 0..<2_000 {
            var bytes = good
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0 ... .max, using: &random)
            guard let read = try? UnverifiedPushChallenge.read(bytes), bytes != good else { continue }
            let trust = TrustStore(keys: [TrustedKey(key: key.publicKey)])
            #expect(throws: PushFault.untrusted) {
                try read.verified(
                    by: trust, issuer: claims.issuer, at: 10_000, allowedClockSkewInSeconds: 300)
            }
        }
    }

    @Test("K07: a push token is 1 to 256 bytes of lower-case hexadecimal, and nothing that leads elsewhere")
    func tokens() throws {
        for text in ["00", "a9", String(repeating: "ff", count: 256)] {
            #expect(try PushToken(transport: .apns, environment: .production, text: text).text == text)
        }
        let broken = [
            "", "0", "000", "AA", "gg", "0 ", "../..", "a/b?", "0０", String(repeating: "ff", count: 257), "00\n",
        ]
        for text in broken {
            #expect(throws: Refusal(.pushTokenMalformed), "\(text)") {
                try PushToken(transport: .apns, environment: .development, text: text)
            }
        }
    }
}
