import CountersignVerifier
import Foundation
import ServiceSubjects

/// Batches at level 0, in this process, in turn with the bare signature on one thread: medians of the rounds.
enum BatchRun {
    static func run(count: Int, rounds: Int) async throws {
        let path = FileManager.default.currentDirectoryPath + "/batch-load-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try await SubjectStore.make(at: path)
        let subjects = try await BatchSubjects(store, at: path, count: count)
        var (walls, cpus) = ([[Double]](repeating: [], count: 3), [[Double]](repeating: [], count: 3))
        var statements: [String] = []
        for round in 0..<(rounds + 3) {
            for kind in 0..<3 {
                let (begin, cpu) = (Load.now, Load.cpu)
                switch kind {
                case 0: _ = try subjects.signBare(count)
                case 1: statements = try await subjects.signWithoutRecord()
                default: statements = try await subjects.sign()
                }
                let (time, used) = (Double(Load.now - begin) / 1e9, Load.cpu - cpu)
                // The first rounds get everything ready.
                guard round >= 3 else { continue }
                walls[kind].append(Double(count) / time)
                cpus[kind].append(used * 1e6 / Double(count))
            }
            try verify(statements, count: count, try await store.keySet())
        }
        for (kind, name) in ["bare, one thread", "batch without a record", "batch on record"].enumerated() {
            let ratios = zip(walls[kind], walls[0]).map { $0 / $1 }
            say(
                "\(name): \(Int(median(walls[kind]))) a second, \(rounded(median(cpus[kind]))) µs of CPU each, "
                    + "ratio \(rounded(median(ratios)))")
        }
        await store.close()
    }

    /// Every signature is valid, and at its place.
    private static func verify(_ statements: [String], count: Int, _ keySet: [UInt8]) throws {
        var policy = Policy()
        policy.level = MinimumLevel(.none)
        policy.audience = .exactly(SubjectStore.service)
        let session = StatementVerifier(trust: try TrustStore(keySet), policy: policy).makeSession()
        let now = Int64(Date().timeIntervalSince1970)
        for (index, text) in statements.enumerated() {
            guard case .valid(let statement) = session.verify(Array(text.utf8).span, at: now),
                let place = statement.claims.reserved[.batch].flatMap({ BatchPlace($0) }),
                place.position == index + 1, place.count == count
            else { throw Fault("a statement of the batch is not valid, or at another place") }
        }
        guard statements.count == count else { throw Fault("\(statements.count) statements") }
    }

    private static func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }

    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
