import Dispatch
import Storage
import StorageSQLite
import Synchronization
import Testing

@Suite("What shares a commit")
struct GroupTests {
    @Test("A job that fails after it wrote is undone alone: the group runs again, each job in a savepoint")
    func failureInGroup() async throws {
        struct Broken: Error {}
        try await TemporaryStore.use { database in
            let steps = Steps()
            let runs = (good: Counter(), bad: Counter())
            let before = database.commits
            // The writer is held until both jobs are queued behind it, so they are one group.
            let (isHeld, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let holder = Task {
                try await database.write { connection in
                    isHeld.signal()
                    mayGoOn.wait()
                    try SettingRow(name: "first", value: "1").save(on: connection)
                }
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    isHeld.wait()
                    continuation.resume()
                }
            }
            let good = Task(executorPreference: steps) {
                try await database.write { connection in
                    runs.good.add()
                    try SettingRow(name: "good", value: "1").save(on: connection)
                }
            }
            let bad = Task(executorPreference: steps) {
                try await database.write { connection in
                    runs.bad.add()
                    try SettingRow(name: "bad", value: "1").save(on: connection)
                    throw Broken()
                }
            }
            steps.runQueued()
            mayGoOn.signal()
            try await holder.value
            try await good.value
            await #expect(throws: Broken.self) { try await bad.value }
            // Once together, once apart.
            #expect(runs.good.value == 2 && runs.bad.value == 2)
            #expect(try await database.read { try SettingRow.list(on: $0).map(\.name) } == ["first", "good"])
            let after = database.commits
            #expect(after.count - before.count == 2 && after.transactions - before.transactions == 2)
        }
    }

    @Test("What changed nothing is no commit")
    func emptyGroups() async throws {
        try await TemporaryStore.use { database in
            let before = database.commits
            try await database.write { _ in }
            _ = try await database.write { try $0.run("DELETE FROM settings") }
            await #expect(throws: StorageError.self) {
                try await database.write { connection in
                    try SettingRow(name: "name", value: "1").save(on: connection)
                    throw StorageError(.conflict, "undone")
                }
            }
            #expect(database.commits == before)
            try await database.write { try SettingRow(name: "name", value: "1").save(on: $0) }
            #expect(database.commits == (before.count + 1, before.transactions + 1))
        }
    }

    @Test("An answer that jobs share is dropped as soon as its row changes, and not for what is only added elsewhere")
    func steadyRows() async throws {
        try await TemporaryStore.use { database in
            let seen = try await database.write { connection in
                var seen: [[String]] = []
                func look() throws {
                    let values = try connection.steady { try SettingRow.list(on: connection).map(\.value) }
                    let rows = try connection.steadyRows("SELECT value FROM settings WHERE name = $1", [.text("name")])
                    #expect(try rows.map { try $0.text("value") } == values)
                    seen.append(values)
                }
                try SettingRow(name: "name", value: "old").save(on: connection)
                try look()
                try AuditRow(at: 1, event: "e", result: 0).append(on: connection)
                try look()
                try SettingRow(name: "name", value: "new").save(on: connection)
                try look()
                try connection.run("DELETE FROM settings")
                try look()
                return seen
            }
            #expect(seen == [["old"], ["old"], ["new"], []])
        }
    }

    @Test("R5: the newest recorded time that jobs share is never behind what one of them recorded")
    func newestTime() async throws {
        try await TemporaryStore.use { database in
            let seen = try await database.write { connection in
                try ([nil, 5, 3, 7] as [Int64?]).map { at in
                    if let at { try AuditRow(at: at, event: "e", result: 0).append(on: connection) }
                    return try AuditRow.newestRecordedTime(on: connection)
                }
            }
            #expect(seen == [nil, 5, 5, 7])
            #expect(try await database.read { try AuditRow.newestRecordedTime(on: $0) } == 7)
        }
    }

    @Test("A shared answer ends with its commit")
    func sharedAnswers() async throws {
        try await TemporaryStore.use { database in
            for expected in [1, 2] {
                let seen = try await database.write { connection in
                    try (0..<2).map { _ in try connection.steady { expected } }
                }
                #expect(seen == [expected, expected])
            }
        }
    }
}

private final class Counter: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
}

/// Runs what is queued when it is told to, and from then on all at once.
private final class Steps: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isFree = false
    }

    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFree = state.withLock { state in
            if !state.isFree { state.jobs.append(job) }
            return state.isFree
        }
        if isFree { DispatchQueue.global().async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) } }
    }

    func runQueued() {
        let jobs = state.withLock { state in
            state.isFree = true
            return state.jobs
        }
        for job in jobs { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
