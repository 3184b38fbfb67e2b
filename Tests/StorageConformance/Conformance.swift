package import Storage

/// What every `SQLDatabase` must do. One suite, every engine: a test target runs each check on a new database.
package struct Conformance: Sendable, CustomStringConvertible {
    /// What is broken.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The rule that is checked.
    package let description: String
    /// Checks it.
    ///
    /// - Parameter database: with the tables of `Schema` and no rows.
    /// - Throws: `Failure`, or what the database threw.
    package let run: @Sendable (_ database: any SQLDatabase) async throws -> Void

    init(_ description: String, _ run: @escaping @Sendable (any SQLDatabase) async throws -> Void) {
        self.description = description
        self.run = run
    }

    /// All of them.
    package static let checks = values + transactions + tables + principals + notifications + activations + requests

    static func expect(_ holds: Bool, _ rule: @autoclosure () -> String) throws {
        guard holds else { throw Failure(description: rule()) }
    }

    static func expectEqual<T: Equatable>(_ found: T, _ expected: T, _ what: String) throws {
        guard found == expected else {
            throw Failure(description: "\(what): \(found) where \(expected) was expected")
        }
    }

    /// Expects `body` to fail with exactly this code.
    static func expect(_ code: StorageError.Code, _ what: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as StorageError {
            guard error.code == code else { throw Failure(description: "\(what): \(error)") }
            return
        }
        throw Failure(description: "\(what): nothing was thrown")
    }
}
