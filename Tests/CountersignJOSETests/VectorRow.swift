import CountersignJOSE
import Foundation
import TestVectors
import Testing

/// A row of a file in `Vectors/jose`.
struct VectorRow: Sendable {
    let name: String
    private let members: [String: JSON]

    /// The rows of a file. A member that the test does not know fails it.
    static func rows(_ file: String, members known: Set<String>) throws -> [VectorRow] {
        let bytes = [UInt8](try VectorFile.own("jose/\(file)"))
        let json = try JSON(parsing: bytes, maxBytes: 1 << 20)
        let rows = try #require(json.object?["vectors"]?.array)
        try #require(!rows.isEmpty)
        return try rows.map { row in
            let members = try #require(row.object).members
            let unknown = members.map(\.name).filter { !known.contains($0) }
            try #require(unknown.isEmpty, "unknown members \(unknown) in \(file)")
            let names = Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
            return VectorRow(name: names["name"]?.string ?? names["bits"]?.string ?? "", members: names)
        }
    }

    /// A member that is a string, if it is there.
    subscript(_ name: String) -> String? { members[name]?.string }

    /// The bytes of the member `hex`, or of the text in another member.
    func bytes(or name: String) throws -> [UInt8] {
        guard let hexadecimal = self["hex"] else { return Array(try #require(self[name]).utf8) }
        return try bytes(hexadecimal: hexadecimal)
    }

    private func bytes(hexadecimal: String) throws -> [UInt8] {
        let digits = Array(hexadecimal.utf8)
        return try stride(from: 0, to: digits.count, by: 2).map {
            try #require(UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16))
        }
    }
}

/// The name of the error's code (`duplicateName`, `json duplicateName`), as the vectors write it; nil where nothing is
/// thrown.
func code<Value, Failure: Error>(_ body: () throws(Failure) -> Value) -> String? {
    do throws(Failure) {
        _ = try body()
        return nil
    } catch {
        switch error {
        case let error as JSONError: return "\(error.code)"
        case let error as JOSEError: return flat(error.code)
        case let error as JWKRefusal: return flat(error.code)
        default: return "\(error)"
        }
    }
}

private func flat(_ code: JOSEError.Code) -> String {
    switch code {
    case .json(let inner): "json \(inner)"
    case .signingFailed(let inner): "signingFailed \(inner)"
    default: "\(code)"
    }
}

private func flat(_ code: JWKRefusal.Code) -> String {
    if case .key(let inner) = code { "key \(inner)" } else { "\(code)" }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
