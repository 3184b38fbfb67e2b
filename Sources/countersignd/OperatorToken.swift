internal import Glibc
internal import Passwords
internal import Sessions
internal import SigningService

/// The token for one log-in of the operator, in a file that only its owner may read.
enum OperatorToken {
    /// The file's path.
    static func path(_ data: String) -> String { "\(data)/operator-token" }

    /// `countersignd operator-token`: replaces the token that was not used. The daemon may run.
    static func make(_ settings: DaemonSettings) async throws {
        let directory = try StoreDirectory(existing: settings.data)
        let (engine, _) = try await OpenStore.engine(over: directory, PasswordHasher(threads: 1, queueLimit: 1))
        do {
            try await write(engine, settings.data)
            await engine.close()
        } catch {
            await engine.close()
            throw error
        }
        Process.put(path(settings.data) + "\n")
    }

    /// Makes a token and writes its file.
    static func write(_ engine: SigningEngine, _ data: String) async throws {
        let token = try await engine.makeOperatorToken()
        guard TextFile.replace(path(data), secretLine: token.text) else {
            throw DaemonError(
                .unavailable, "\(path(data)) cannot be written: \(unsafe String(cString: strerror(errno)))")
        }
    }

    /// Removes the file, if it is its token that was used, and not one that was made since.
    static func remove(_ data: String, usedHash: [UInt8]) {
        guard let bytes = TextFile.read(path(data), limit: 1_024),
            let token = SessionToken(String(decoding: bytes.dropLast(), as: UTF8.self), .operatorToken),
            token.hash == usedHash
        else { return }
        unsafe unlink(path(data))
    }
}
