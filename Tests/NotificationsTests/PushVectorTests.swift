import CountersignVerifier
import Foundation
import Notifications
import TestVectors
import Testing

/// Runs `Vectors/push`, which another implementation made.
@Suite("Vectors/push")
struct PushVectorTests {
    private struct File: Decodable {
        let now: Int64
        let issuer: String
        let keys: String
        let tests: [Vector]
    }

    private struct Vector: Decodable {
        let name: String
        let push: String
        let skew: Int64?
        let result: String
    }

    private static func result(_ test: Vector, _ file: File, _ trust: TrustStore) -> String {
        do throws(PushFault) {
            guard let challenge = try UnverifiedPushChallenge.read(Array(test.push.utf8)) else { return "foreign" }
            _ = try challenge.verified(
                by: trust, issuer: file.issuer, at: file.now * 1000, allowedClockSkewInSeconds: test.skew ?? 300)
            return "good"
        } catch {
            return "\(error)"
        }
    }

    @Test("K24, O39, O40: each has its one result: good, foreign, malformed, untrusted, expired or early")
    func results() throws {
        let file = try JSONDecoder().decode(File.self, from: VectorFile.own("push/challenges.json"))
        let trust = try TrustStore(Array(file.keys.utf8))
        #expect(file.tests.count > 80)
        for test in file.tests { #expect(Self.result(test, file, trust) == test.result, "\(test.name)") }
        #expect(
            Set(file.tests.map(\.result)) == Set(PushFault.allCases.map { "\($0)" }).union(["good", "foreign"]))
    }

    @Test("K24: the push challenges of another vendor are foreign", .enabled(if: VectorFile.suites != nil))
    func anotherVendor() throws {
        struct Other: Decodable { let jwt: String }
        let path = "okta-devices-swift/push-challenge-jwts.json"
        let others = try JSONDecoder().decode([Other].self, from: VectorFile.suite(path))
        #expect(others.count > 1)
        for other in others { #expect(try UnverifiedPushChallenge.read(Array(other.jwt.utf8)) == nil) }
    }
}
