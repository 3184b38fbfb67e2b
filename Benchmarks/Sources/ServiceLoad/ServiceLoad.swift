import CountersignVerifier
import Foundation
import ServiceSubjects

@main
enum ServiceLoad {
    static func main() async throws {
        let tasks = Int(CommandLine.arguments.dropFirst().first ?? "64") ?? 64
        let count = Int(CommandLine.arguments.dropFirst(2).first ?? "20000") ?? 20000
        let path = (CommandLine.arguments.dropFirst(3).first ?? NSTemporaryDirectory()) + "/load-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let engine = try await EngineSubject(newStoreAt: path)
        for _ in 0..<100 { _ = try await engine.sign(payload: Array("warm".utf8), reason: Array("up".utf8)) }
        let before = cpu()
        let start = ContinuousClock.now
        let statements = try await withThrowingTaskGroup(of: [String].self) { group in
            for task in 0..<tasks {
                group.addTask {
                    var statements: [String] = []
                    for index in stride(from: task, to: count, by: tasks) {
                        statements.append(
                            try await engine.sign(
                                payload: Array("Pay \(index).00 EUR to account DE02 1203 0000 0000 2020 51".utf8),
                                reason: Array("Invoice \(index)".utf8)))
                    }
                    return statements
                }
            }
            var all: [String] = []
            for try await some in group { all += some }
            return all
        }
        let wall = ContinuousClock.now - start
        let used = cpu() - before
        let seconds = Double(wall.components.seconds) + Double(wall.components.attoseconds) / 1e18
        print("\(tasks) tasks: \(Int(Double(count) / seconds))/s, \(Int(used * 1e6 / Double(count))) µs CPU each, stored \(try await engine.statementCount())")
        var policy = Policy()
        policy.level = MinimumLevel(.none)
        policy.audience = .any
        let verifier = StatementVerifier(trust: try TrustStore(try await engine.keySet()), policy: policy)
        let now = Int64(Date().timeIntervalSince1970)
        for statement in statements {
            guard case .valid = verifier.verify(Array(statement.utf8), at: now) else { fatalError("invalid") }
        }
        await engine.close()
    }

    static func cpu() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}
