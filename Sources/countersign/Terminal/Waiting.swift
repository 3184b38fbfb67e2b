/// Runs asynchronous work to its end while this thread waits. The commands are straight lines on the main thread, where
/// a prompt may block; what the engine does runs on Swift's own threads, where nothing may.
func waitFor<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Guarded<Result<Value, any Error>?>(nil)
    Task.detached {
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
        result.change { $0 = outcome }
    }
    return try result.wait { $0 }.get()
}
