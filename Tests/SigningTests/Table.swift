import Foundation
import TestVectors
import Testing

/// Reads a table of `Vectors/signing`. A member that the test does not know fails it: it would be an expectation that nobody checks.
enum Table {
    static func load<T: Codable>(_ type: T.Type, from file: String) throws -> T {
        let data = try VectorFile.own("signing/\(file)")
        let table = try JSONDecoder().decode(type, from: data)
        let known = try JSONDecoder().decode(Tree.self, from: JSONEncoder().encode(table))
        let written = try JSONDecoder().decode(Tree.self, from: data)
        if known != written { throw UnknownMember(file: file) }
        return table
    }

    struct UnknownMember: Error { let file: String }

    /// Any JSON with whole numbers.
    private indirect enum Tree: Decodable, Equatable {
        case null, bool(Bool), int(Int), string(String), array([Tree]), object([String: Tree])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let bool = try? value.decode(Bool.self) {
                self = .bool(bool)
            } else if let int = try? value.decode(Int.self) {
                self = .int(int)
            } else if let string = try? value.decode(String.self) {
                self = .string(string)
            } else if let array = try? value.decode([Tree].self) {
                self = .array(array)
            } else {
                self = .object(try value.decode([String: Tree].self))
            }
        }
    }
}

@Test("An unknown member in a table fails")
func unknownMember() {
    struct Refusals: Codable {
        struct Entry: Codable { let code: Int }
        let refusals: [Entry]
    }
    #expect(throws: Table.UnknownMember.self) { try Table.load(Refusals.self, from: "refusals.json") }
}
