import CountersignKeys
import CountersignVerifier
import Foundation
import TestVectors
import Testing

/// Runs `Vectors/statements/`, whose README describes the form. They were made by another implementation.
@Suite("Vectors/statements")
struct StatementVectorTests {
    static let files = ["valid", "text", "header", "claims", "signature", "policy", "result"]

    @Test("each vector gets its one verdict, for its one reason", arguments: files)
    func verdicts(_ name: String) throws {
        let file = try JSONDecoder().decode(
            VectorGroup<StatementVector>.self, from: VectorFile.own("statements/\(name).json"))
        #expect(!file.tests.isEmpty)
        let trusts = try file.stores()
        for test in file.tests {
            let trust = try #require(trusts[test.trust ?? "jwks"])
            let verifier = StatementVerifier(trust: trust, policy: try test.options?.policy() ?? Policy())
            let verdict = verifier.verify(try test.text, at: file.now)
            #expect(verdict.kind == test.verdict && verdict.code == test.reason ?? "valid", "\(name): \(test.name)")
        }
    }
}

private struct StatementVector: Decodable {
    let name: String
    let statement: String?
    let bytes: String?
    let verdict: String
    let reason: String?
    let trust: String?
    let options: VectorOptions?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, statement, bytes, verdict, reason, trust, options
    }

    init(from decoder: any Decoder) throws {
        try decoder.refuseUnknown(Set(CodingKeys.allCases.map(\.rawValue)))
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        statement = try values.decodeIfPresent(String.self, forKey: .statement)
        bytes = try values.decodeIfPresent(String.self, forKey: .bytes)
        verdict = try values.decode(String.self, forKey: .verdict)
        reason = try values.decodeIfPresent(String.self, forKey: .reason)
        trust = try values.decodeIfPresent(String.self, forKey: .trust)
        options = try values.decodeIfPresent(VectorOptions.self, forKey: .options)
    }

    /// The text to verify.
    var text: [UInt8] { get throws { try VectorText.bytes(statement, hexadecimal: bytes) } }
}
