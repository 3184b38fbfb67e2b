import CountersignVerifier
import Foundation
import ServiceSubjects

/// The engine alone: many tasks sign at level 0 in this process.
enum EngineRun {
    static func run(tasks: Int, count: Int) async throws {
        let path = FileManager.default.currentDirectoryPath + "/engine-load-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try await SubjectStore.make(at: path)
        let session = try SubjectSession()
        @Sendable func sign(_ number: Int) async throws -> String {
            try await store.sign(
                payload: Array(SigningRequests.payload(number).utf8), reason: Array("Invoice 17 of the spring".utf8),
                session: session)
        }
        for _ in 0..<100 { _ = try await sign(0) }
        let (begin, cpu) = (Load.now, Load.cpu)
        var statements: [String] = []
        try await withThrowingTaskGroup(of: [String].self) { group in
            for task in 0..<tasks {
                group.addTask {
                    var statements: [String] = []
                    for number in stride(from: task, to: count, by: tasks) { statements.append(try await sign(number)) }
                    return statements
                }
            }
            for try await some in group { statements += some }
        }
        let (time, used) = (Double(Load.now - begin) / 1e9, Load.cpu - cpu)
        say(
            "\(tasks) tasks: \(Int(Double(count) / time)) signatures a second, "
                + "\(Int(used * 1e6 / Double(count))) µs of CPU each")
        let evidence = Evidence()
        for statement in statements {
            guard let claims = try? UnverifiedStatement(Array(statement.utf8).span).claims,
                let number = Int(claims.payload.dropFirst(13).prefix(9))
            else { throw Fault("a statement that cannot be read") }
            evidence.keep(number, ArraySlice("\"payloadSignature\":\"\(statement)\"".utf8))
        }
        try evidence.verify(try await store.keySet(), audience: .exactly(SubjectStore.service))
        let kept = try await store.counts().statements
        guard kept == count + 100 else { throw Fault("\(kept) statements are on record") }
        await store.close()
    }
}
