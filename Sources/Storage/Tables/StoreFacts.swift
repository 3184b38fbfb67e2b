/// What a store says about itself, written once.
package struct StoreFacts: Sendable, Hashable {
    /// A UUID: no two stores share one.
    package let id: String
    /// `iss` of its statements.
    package let issuer: String
    /// Milliseconds since 1970.
    package let createdAt: Int64

    package init(id: String, issuer: String, createdAt: Int64) {
        self.id = id
        self.issuer = issuer
        self.createdAt = createdAt
    }

    /// The facts, or nil where the store is not yet set up.
    package static func find(on connection: any SQLConnection) throws -> StoreFacts? {
        try connection.row("SELECT id, issuer, created_at FROM store").map {
            try StoreFacts(id: $0.text("id"), issuer: $0.text("issuer"), createdAt: $0.integer("created_at"))
        }
    }

    /// Writes them.
    ///
    /// - Throws: `StorageError.Code.constraint` where there are some already.
    package func insert(on connection: any SQLConnection) throws {
        try connection.run(
            "INSERT INTO store (one, id, issuer, created_at) VALUES (1, $1, $2, $3)",
            [.text(id), .text(issuer), .integer(createdAt)])
    }
}
