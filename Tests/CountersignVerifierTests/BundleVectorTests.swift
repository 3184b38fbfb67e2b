import CountersignVerifier
import Foundation
import TestVectors
import Testing

/// Runs `Vectors/bundles/`, whose README describes the form. They were made by another implementation.
@Suite("Vectors/bundles")
struct BundleVectorTests {
    static let files = ["valid", "form", "members", "together"]

    @Test("V22-V24: each vector gets its one verdict, for its one reason, and each statement its own", arguments: files)
    func verdicts(_ name: String) throws {
        let file = try JSONDecoder().decode(
            VectorGroup<BundleVector>.self, from: VectorFile.own("bundles/\(name).json"))
        #expect(!file.tests.isEmpty)
        let trusts = try file.stores()
        for test in file.tests {
            let trust = try #require(trusts[test.trust ?? "jwks"])
            let verifier = StatementVerifier(trust: trust, policy: try test.options?.policy() ?? Policy())
            let text = try VectorText.bytes(test.bundle, hexadecimal: test.bytes)
            let verdict = verifier.verifyBundle(text, at: file.now)
            #expect(verdict.kind == test.verdict && verdict.code == test.reason ?? "valid", "\(name): \(test.name)")
            #expect(verdict.place == test.place, "\(name): \(test.name)")
            if let statements = test.statements {
                #expect(verdict.statements.map(\.code) == statements, "\(test.name)")
            }
            if test.verdict == "valid" { try readsBack(text) }
        }
    }

    /// A bundle has one text, and its statements in any order make it again.
    private func readsBack(_ text: [UInt8]) throws {
        let bundle = try Crowd.bundle(text)
        #expect(bundle.text == (text.last == UInt8(ascii: "\n") ? text.dropLast() : text))
        let again = try UnverifiedBundle(collecting: bundle.statements.reversed(), keys: bundle.keys)
        #expect(again.text == bundle.text)
    }
}

extension BundleVerdict {
    /// What it comes to, as vectors name it.
    var kind: String {
        switch outcome {
        case .valid: "valid"
        case .invalid: "invalid"
        case .indeterminate: "indeterminate"
        }
    }

    /// The place of the statement that it is about.
    var place: Int? {
        switch outcome {
        case .valid: nil
        case .invalid(let fault): fault.place
        case .indeterminate(let place, _): place
        }
    }
}

private struct BundleVector: Decodable {
    let name: String
    let bundle: String?
    let bytes: String?
    let verdict: String
    let reason: String?
    let place: Int?
    let statements: [String]?
    let trust: String?
    let options: VectorOptions?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, bundle, bytes, verdict, reason, place, statements, trust, options
    }

    init(from decoder: any Decoder) throws {
        try decoder.refuseUnknown(Set(CodingKeys.allCases.map(\.rawValue)))
        let values = try decoder.container(keyedBy: CodingKeys.self)
        name = try values.decode(String.self, forKey: .name)
        bundle = try values.decodeIfPresent(String.self, forKey: .bundle)
        bytes = try values.decodeIfPresent(String.self, forKey: .bytes)
        verdict = try values.decode(String.self, forKey: .verdict)
        reason = try values.decodeIfPresent(String.self, forKey: .reason)
        place = try values.decodeIfPresent(Int.self, forKey: .place)
        statements = try values.decodeIfPresent([String].self, forKey: .statements)
        trust = try values.decodeIfPresent(String.self, forKey: .trust)
        options = try values.decodeIfPresent(VectorOptions.self, forKey: .options)
    }
}
