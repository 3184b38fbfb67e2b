import CountersignKeys
import Foundation
import TestVectors
import Testing

/// A signature of an RFC, in `Vectors/keys`.
struct SignatureVector: Decodable, Sendable, CustomTestStringConvertible {
    struct Numbers: Decodable, Sendable {
        let x: Hex?
        let y: Hex?
        let n: Hex?
        let e: Hex?

        var components: PublicKey.Components? {
            switch (x?.bytes, y?.bytes, n?.bytes, e?.bytes) {
            case (let x?, let y?, nil, nil): .ec(x: x, y: y)
            case (let x?, nil, nil, nil): .okp(x: x)
            case (nil, nil, let n?, let e?): .rsa(modulus: n, exponent: e)
            default: nil
            }
        }
    }

    let name: String
    let algorithm: KeyAlgorithm
    let publicKey: Numbers
    let message: Hex
    let signature: Hex
    /// The private seed of an Ed25519 key, whose signatures are always the same.
    let seed: Hex?

    var testDescription: String { "\(algorithm.rawValue) \(name)" }

    static let all = load(["rfc6979.json", "rfc7515.json", "rfc7520.json", "rfc8032.json"], of: Self.self)
}

/// A key that must be refused, in `Vectors/keys`, with the one code that it must be refused with.
struct RefusedKey: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let code: KeyError.Code
    let algorithm: KeyAlgorithm?
    let components: SignatureVector.Numbers?
    let pem: String?
    let passphrase: String?

    var testDescription: String { name }

    static let components = load(["refused-components.json"], of: Self.self)
    static let publicKeys = load(["refused-public-keys.json"], of: Self.self)
    static let privateKeys = load(["refused-private-keys.json"], of: Self.self)
}

/// An ES256 signature over an edge of the arithmetic, in `Vectors/keys`, and whether it holds.
struct EdgeVector: Decodable, Sendable {
    let name: String
    let x: Hex
    let y: Hex
    let message: Hex
    let signature: Hex
    let isValid: Bool

    static let all = load(["es256-edges.json"], of: Self.self)
}

/// Bytes that are written in hexadecimal.
struct Hex: Decodable, Sendable {
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let bytes = [UInt8](hex: text) else { throw CocoaError(.coderInvalidValue) }
        self.bytes = bytes
    }
}

extension KeyAlgorithm: Decodable {}
extension KeyError.Code: Decodable {}

extension [UInt8] {
    /// Two digits a byte.
    init?(hex: String) {
        let digits = hex.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            append(UInt8(high << 4 | low))
        }
    }
}

private struct VectorList<Case: Decodable>: Decodable {
    let source: String
    let cases: [Case]
}

/// All cases of some files. An empty list fails the tests that count them.
private func load<Case: Decodable>(_ names: [String], of type: Case.Type) -> [Case] {
    names.flatMap { name in
        (try? JSONDecoder().decode(VectorList<Case>.self, from: VectorFile.own("keys/\(name)")))?.cases ?? []
    }
}
