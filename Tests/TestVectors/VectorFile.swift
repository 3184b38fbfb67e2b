public import Foundation

/// Where the tests find their data.
public enum VectorFile {
    /// The repository's own `Vectors/` folder.
    public static let own: URL = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Vectors", directoryHint: .isDirectory)

    /// The folder of public suites that `COUNTERSIGN_VECTORS` names, or nil where it is not set.
    public static let suites: URL? = ProcessInfo.processInfo.environment["COUNTERSIGN_VECTORS"]
        .map { URL(filePath: $0, directoryHint: .isDirectory) }

    /// The bytes of a file of `Vectors/`.
    public static func own(_ path: String) throws -> Data {
        try Data(contentsOf: own.appending(path: path))
    }

    /// The bytes of a file of the public suites. Only for tests that are enabled by `suites != nil`.
    public static func suite(_ path: String) throws -> Data {
        guard let suites else { throw CocoaError(.fileNoSuchFile) }
        return try Data(contentsOf: suites.appending(path: path))
    }
}
