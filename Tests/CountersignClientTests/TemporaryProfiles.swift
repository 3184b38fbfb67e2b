import CountersignClient
import Foundation
import Testing

/// A directory for profiles that goes away with the test.
final class TemporaryProfiles: Sendable {
    let directory: ProfileDirectory
    let root: URL

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "countersign-client-\(UUID())")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: false)
        directory = ProfileDirectory(root.path(percentEncoded: false) + "/config/countersign")
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// An account of a profile, which is made if it is not there, in scripted surroundings.
    func account(
        _ exchange: ScriptedExchange, name: String = "test", options: ServiceOptions = ServiceOptions()
    ) throws -> Account {
        let isThere = try directory.names().contains(name)
        let profile =
            isThere ? try directory.profile(name) : try directory.create(name, server: "https://sign.example")
        return try Account(profile, passcode: nil, options: options, surroundings: exchange.surroundings)
    }

    func path(_ file: String) -> String { "\(directory.path)/\(file)" }

    func mode(_ file: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(file))[.posixPermissions] as? Int
    }

    func setMode(_ mode: Int, _ file: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(file))
    }

    func text(_ file: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path(file))), as: UTF8.self)
    }
}

/// The error that a call of the client throws; nil where it throws none.
func failure(of body: () async throws -> Void) async -> ServiceError? {
    do { try await body() } catch { return error as? ServiceError }
    return nil
}

extension ServiceError {
    var refusal: ServiceRefusal? { if case .refused(let refusal) = self { refusal } else { nil } }
    var isProtocolViolation: Bool { if case .protocolViolation = self { true } else { false } }
    var isUnreachable: Bool { if case .unreachable = self { true } else { false } }
    var isUnanswered: Bool { if case .unanswered = self { true } else { false } }
    var isCancelled: Bool { if case .cancelled = self { true } else { false } }
}
