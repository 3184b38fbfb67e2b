import CountersignJOSE
import Foundation
import TestVectors
import Testing

/// The public JSON parsing test suite (nst/JSONTestSuite, `test_parsing`).
@Suite("RFC 8259: JSONTestSuite", .enabled(if: VectorFile.suites != nil))
struct JSONTestSuiteTests {
    /// What RFC 8259 leaves open and we accept: numbers that some double is near to. Every other `i_` file is refused:
    /// numbers beyond a double, bad UTF-8, lone surrogates, UTF-16, a byte order mark, 500 levels.
    static let accepted: Set = [
        "i_number_double_huge_neg_exp.json", "i_number_real_underflow.json", "i_number_too_big_neg_int.json",
        "i_number_too_big_pos_int.json", "i_number_very_big_negative_int.json",
    ]

    /// A file may be listed here only if we refuse what the suite wants accepted, with the reason.
    static let stricter: Set = [
        "y_object_duplicated_key.json",  // a member name twice: RFC 8725 section 3.1 lets us, V6 demands it
        "y_object_duplicated_key_and_value.json",
    ]

    @Test("V6: every file of test_parsing is decided as listed")
    func parsing() throws {
        let folder = try #require(VectorFile.suites).appending(path: "JSONTestSuite/test_parsing")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names.count > 300)
        for name in names {
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            let result = Result { () throws(JSONError) in try JSON(parsing: bytes, maxBytes: 1 << 20) }
            let isAccepted = (try? result.get()) != nil
            let expected = name.hasPrefix("y_") && !Self.stricter.contains(name) || Self.accepted.contains(name)
            #expect(isAccepted == expected, "\(name): \(result)")
        }
    }
}
