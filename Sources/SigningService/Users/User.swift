package import CountersignVerifier
internal import Storage

/// A user as the operator sees them.
package struct User: Sendable {
    /// The name, which is also the `sub` of their statements.
    package let name: UserName
    /// Whether a password is set.
    package let hasPassword: Bool
    /// Whether the operator locked them.
    package let isLocked: Bool
    /// Until when their step-up or their log-in is blocked, milliseconds since 1970; nil: neither is.
    package let blockedUntil: Int64?
    /// Whether so many answers were wrong that the operator must unlock.
    package let needsOperator: Bool
    /// Wrong answers since the last right one, to challenges and at the door.
    package let wrongAnswers: Int
    /// When they were added, milliseconds since 1970.
    package let createdAt: Int64
    /// When the password was set, milliseconds since 1970.
    package let passwordSetAt: Int64?
    /// Since when none of their devices is asked about new ones, milliseconds since 1970; nil: they are.
    package let activationsBlockedAt: Int64?

    init(_ row: UserRow, on connection: any SQLConnection, at now: Int64) throws {
        let ledgers = try LedgerRow.Purpose.allCases.map { try LedgerRow.load(row.name, $0, on: connection) }
        guard let name = UserName(row.name) else { throw StorageError(.corrupt, "a user has a name that is none") }
        self.name = name
        hasPassword = row.password != nil
        isLocked = row.isLocked
        blockedUntil = ledgers.compactMap(\.blockedUntil).filter { $0 > now }.max()
        needsOperator = ledgers.contains(where: \.needsOperator)
        wrongAnswers = ledgers.reduce(0) { $0 + $1.wrongTotal }
        createdAt = row.createdAt
        passwordSetAt = row.passwordSetAt
        activationsBlockedAt = try ActivationBlockRow.find(row.name, on: connection)
    }
}
