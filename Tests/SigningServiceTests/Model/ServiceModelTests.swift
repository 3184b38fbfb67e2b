import Foundation
import Testing

@Suite("Devices, activations, notifications, signing requests and signings against one model")
struct ServiceModelTests {
    /// Each seed is another order. `COUNTERSIGN_MODEL_SEEDS=17` runs one of them, `0-299` so many; `COUNTERSIGN_MODEL_STEPS` says how long.
    private static var seeds: [UInt64] {
        let text = ProcessInfo.processInfo.environment["COUNTERSIGN_MODEL_SEEDS"] ?? "0-39"
        let ends = text.split(separator: "-").compactMap { UInt64($0) }
        guard let first = ends.first, let last = ends.last, first <= last else { return [] }
        return Array(first...last)
    }

    private static var steps: Int {
        ProcessInfo.processInfo.environment["COUNTERSIGN_MODEL_STEPS"].flatMap { Int($0) } ?? 120
    }

    @Test(
        "A05-A14, A24-A28, D04, D27, D33, O17-O20, O32, O34, D1-D4, D6, D7, N1-N5: whatever happens in whatever order",
        arguments: seeds)
    func random(seed: UInt64) async throws {
        let run = try await ServiceRun(seed: seed)
        do {
            try await run.run(steps: Self.steps)
        } catch let difference as ServiceRun.Difference {
            let story = await run.story.suffix(12).joined(separator: "\n")
            Issue.record("COUNTERSIGN_MODEL_SEEDS=\(seed): \(difference)\n\(story)")
        }
        await run.close()
    }
}
