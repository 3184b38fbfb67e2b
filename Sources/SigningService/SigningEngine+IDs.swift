internal import CountersignKeys
internal import CountersignVerifier

extension SigningEngine {
    /// The id of anything but a statement.
    static func newID() throws -> UUIDText { try id(SecureRandom.uuid()) }

    /// The id of a statement, of which there may be very many a second: in runs, for the sake of the index. What people read and tell
    /// apart by its first characters has another each time.
    static func newStatementID() throws -> UUIDText { try id(statementIDs.next()) }

    private static let statementIDs = UUIDSource()

    private static func id(_ text: String) throws -> UUIDText {
        guard let id = UUIDText(text) else { throw KeyError(.randomFailed, "the random source made no UUID") }
        return id
    }
}
