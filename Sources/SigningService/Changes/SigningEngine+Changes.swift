package import Sessions
internal import Signing
internal import Storage

extension SigningEngine {
    /// Makes sure that a session has not ended since it was looked up: for whoever answers long after the question.
    ///
    /// - Throws: `tokenInvalid`.
    package func checkAlive(_ session: Session) async throws {
        let clock = clock
        try await database.read { try Transaction($0, clock: clock).checkAlive(session) }
    }
}
