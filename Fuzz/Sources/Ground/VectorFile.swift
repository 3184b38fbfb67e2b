public import CountersignJOSE
internal import Foundation

/// A file of `Vectors/statements` or `Vectors/bundles`. The fuzzer runs in the repository's root.
public struct VectorFile {
    /// The verifier's time, seconds since 1970.
    public let now: Int64
    /// The tests.
    public let tests: [JSONObject]
    private let trust: JSONObject

    /// Reads the file of this name; a fuzzer without its vectors cannot run.
    public init(_ name: String, of folder: String = "statements") {
        let path = "Vectors/\(folder)/\(name).json"
        let bytes = expected(FileManager.default.contents(atPath: path).map { Array($0) }, "\(path) can be read")
        let json = try? JSON(parsing: bytes, maxBytes: bytes.count, maxValues: bytes.count)
        let file = expected(json?.object, "\(path) is an object")
        now = expected(file["now"]?.integer, "\(path) has a time")
        trust = expected(file["trust"]?.object, "\(path) has trust files")
        tests = expected(file["tests"]?.array, "\(path) has tests").compactMap(\.object)
    }

    /// A trust file, and the thumbprint of its root key where it is a key history.
    public func trustFile(_ name: String) -> (text: [UInt8], root: String?) {
        let file = expected(trust[name]?.object, "there is a trust file \(name)")
        return (Array(expected(file["text"]?.string, "a trust file has a text").utf8), file["root"]?.string)
    }

    /// The test of this name.
    public func test(_ name: String) -> JSONObject {
        expected(tests.first { $0["name"]?.string == name }, "there is a test \(name)")
    }
}
