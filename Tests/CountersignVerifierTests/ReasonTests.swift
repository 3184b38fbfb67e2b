import CountersignKeys
import CountersignVerifier
import Foundation
import TestVectors
import Testing

@Suite("The page docs/statement.md")
struct ReasonTests {
    private static let invalid: [InvalidReason] =
        [
            .empty, .tooLong, .notCompact, .notBase64URL, .header, .type, .algorithm, .keyID, .claims, .claimSet,
            .levelAndType,
        ]
        + [
            .result, .resultDiffers, .rootKey, .algorithmMismatch, .signature, .keyNotYetActive, .keyRetired,
            .keySuperseded,
        ]
        + [.levelTooLow(.none, atLeast: .one), .issuedInFuture, .testIDV, .audienceNotExpected, .audienceMissing]
        + [
            .audienceDiffers, .quorumNotMet(found: 1, needed: 2), .issuerDiffers, .algorithmNotAllowed(.es256),
            .methodMissing(.pwd), .reasonDiffers,
        ]
        + [.payloadDiffers, .fileDiffers, .tooOld]
    private static let indeterminate: [IndeterminateReason] = [
        .unknownKey, .unusableKey, .historyExpired, .keyCompromised,
    ]

    @Test("Its table has every reason, and no other; each has its own words")
    func reasons() throws {
        let page = VectorFile.own.deletingLastPathComponent().appending(path: "docs/statement.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { row in
            row.hasPrefix("| | `") || row.hasPrefix("| invalid | `") || row.hasPrefix("| indeterminate | `")
        }
        let listed = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        let codes = Self.invalid.map(\.code) + Self.indeterminate.map(\.code)
        #expect(Set(listed).symmetricDifference(codes) == ["claim-NAME"])
        #expect(Set(listed).count == listed.count && Set(codes).count == codes.count)
        let words = Self.invalid.map(\.description) + Self.indeterminate.map(\.description)
        #expect(Set(words).count == words.count)
        for name in ClaimName.allCases { #expect(InvalidReason.claim(name).code == "claim-\(name.rawValue)") }
    }
}
