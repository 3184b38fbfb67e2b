import Foundation
import Storage
import StorageSQLite

/// A directory of its own for each test, gone afterwards.
final class TemporaryStore: Sendable {
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID())")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    var path: String { directory.appending(path: "store.sqlite").path(percentEncoded: false) }

    /// The path with something after it, such as `-wal`.
    func beside(_ suffix: String) -> String { path + suffix }

    /// A new store, open.
    func make(_ settings: SQLiteSettings = SQLiteSettings()) async throws -> SQLiteDatabase {
        try await SQLiteDatabase.create(at: path, time: 1)
        return try await open(settings)
    }

    /// Does something with a new store, whose files are there until it is closed.
    static func use(_ body: (SQLiteDatabase) async throws -> Void) async throws {
        let store = try TemporaryStore()
        let database = try await store.make()
        let result: Result<Void, any Error>
        do { result = .success(try await body(database)) } catch { result = .failure(error) }
        await database.close()
        withExtendedLifetime(store) {}
        try result.get()
    }

    func open(_ settings: SQLiteSettings = SQLiteSettings()) async throws -> SQLiteDatabase {
        try await SQLiteDatabase.open(at: path, settings: settings, time: 2)
    }

    func bytes(_ suffix: String = "") throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path + suffix))) }

    /// Overwrites in place, keeping the mode.
    func write(_ bytes: [UInt8], _ suffix: String = "") throws {
        let target = URL(filePath: path + suffix)
        try Data(bytes).write(to: target)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: target.path(percentEncoded: false))
    }

    func mode(_ suffix: String = "") throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path + suffix)[.posixPermissions] as? Int
    }

    /// What is in the directory.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false)).sorted()
    }
}

/// The code that `body` fails with, or nil where it does not fail.
func code(_ body: () async throws -> Void) async throws -> StorageError.Code? {
    do {
        try await body()
        return nil
    } catch let error as StorageError {
        return error.code
    }
}
