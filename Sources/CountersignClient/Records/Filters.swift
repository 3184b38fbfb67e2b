/// What a list of statements is narrowed to. Empty: everything.
public struct StatementFilter: Sendable {
    /// Signed by this user.
    public var user: String?
    /// Signed at or after, milliseconds since 1970.
    public var since: Int64?
    /// Signed before, milliseconds since 1970.
    public var until: Int64?
    /// Signed with this key.
    public var keyID: String?
    /// Signed at this level.
    public var level: Int?
    /// With this in payload or reason, in either case.
    public var keyword: String?

    /// Everything.
    public init() {}

    func call(startIndex: Int, count: Int) -> Call {
        .get(
            "/v1/statements",
            query: [
                ("user", user), ("since", since.map { String($0) }), ("until", until.map { String($0) }),
                ("kid", keyID), ("level", level.map { String($0) }), ("keyword", keyword),
                ("startIndex", String(startIndex)), ("count", String(count)),
            ])
    }
}

/// What the audit is narrowed to. Empty: everything.
public struct AuditFilter: Sendable {
    /// Only this event.
    public var event: String?
    /// About this user.
    public var user: String?
    /// Of this ceremony.
    public var ceremony: String?
    /// About this statement.
    public var signatureID: String?
    /// At or after, milliseconds since 1970.
    public var since: Int64?
    /// Before, milliseconds since 1970.
    public var until: Int64?
    /// Older than the entry with this number: where a list goes on, whatever was added to it meanwhile.
    public var before: Int64?

    /// Everything.
    public init() {}

    func call(startIndex: Int, count: Int) -> Call {
        .get(
            "/v1/audit",
            query: [
                ("event", event), ("user", user), ("ceremony", ceremony), ("jti", signatureID),
                ("since", since.map { String($0) }), ("until", until.map { String($0) }),
                ("before", before.map { String($0) }), ("startIndex", String(startIndex)),
                ("count", String(count)),
            ])
    }
}
