/// The tables, as a list of migrations: the first makes them, each later one changes them.
///
/// Plain for SQLite and PostgreSQL: TEXT, BYTEA and BIGINT only; ids and times (milliseconds since 1970) come from the
/// program. A migration that was released is never edited. Lengths in checks are characters, so they are looser than the
/// byte limits that the program keeps: the two engines spell the length in bytes differently.
package enum Schema {
    /// One step, from the version before it.
    package struct Migration: Sendable {
        /// 1 for the first, then without gaps.
        package let version: Int64
        /// Run in order, in one transaction.
        package let statements: [String]

        package init(version: Int64, statements: [String]) {
            self.version = version
            self.statements = statements
        }
    }

    /// All steps, oldest first.
    package static let migrations = [
        Migration(version: 1, statements: firstTables),
        Migration(version: 2, statements: ledgersByPurpose + principals),
        Migration(
            version: 3,
            statements: cheaperRows + devices + notifications + push + activationRequests + delivery + requests),
    ]

    /// The newest version in `migrations`.
    package static func newest(of migrations: [Migration] = migrations) -> Int64 { migrations.last?.version ?? 0 }

    /// Makes the table of versions. Only for a new, empty database; `migrate` does the rest.
    package static func begin(on connection: any SQLConnection) throws {
        try connection.run(
            "CREATE TABLE schema (version BIGINT NOT NULL PRIMARY KEY CHECK (version > 0), at BIGINT NOT NULL)")
    }

    /// The version of a database, 0 between `begin` and the first migration.
    ///
    /// - Throws: `StorageError.Code.newerSchema` where this program is too old for it.
    package static func version(
        on connection: any SQLConnection, migrations: [Migration] = migrations
    ) throws -> Int64 {
        let row = try connection.row("SELECT COALESCE(MAX(version), 0) AS version FROM schema")
        let found = try row?.integer("version") ?? 0
        let known = newest(of: migrations)
        guard found <= known else {
            throw StorageError(.newerSchema(found: found, known: known), "use a newer version of countersign")
        }
        return found
    }

    /// Brings a database to the newest version. Run it in one `write`: either all of it happens, or none.
    package static func migrate(
        _ connection: any SQLConnection, at: Int64, migrations: [Migration] = migrations
    ) throws {
        let found = try version(on: connection, migrations: migrations)
        for migration in migrations where migration.version > found {
            for statement in migration.statements { try connection.run(statement) }
            try connection.run(
                "INSERT INTO schema (version, at) VALUES ($1, $2)", [.integer(migration.version), .integer(at)])
        }
    }
}
