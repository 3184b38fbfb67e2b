import CountersignKeys
import Foundation
import Passwords
import Testing

@Suite("The pool of hashing threads")
struct HasherTests {
    @Test("Attack S10: one hash for each answer: known, unknown, right or wrong")
    func equalWork() async throws {
        let hasher = PasswordHasher(threads: 1, queueLimit: 0)
        let hash = try await hasher.reserve().hash(secret("password"), cheap)
        var expected = 1
        for (answer, user, isRight) in [
            ("password", hash, true), ("wrong", hash, false), ("password", PasswordHash.nobody(cheap), false),
        ] {
            #expect(try await hasher.reserve().matches(secret(answer), user) == isRight)
            expected += 1
            #expect(hasher.completed == expected)
        }
    }

    @Test("Attack S10: nobody's password is right")
    func nobody() async throws {
        let hasher = PasswordHasher(threads: 1, queueLimit: 0)
        for text in ["x", "", "password"] {
            #expect(try await !hasher.reserve().matches(secret(text), .nobody(cheap)))
        }
    }

    @Test("Attack S13: the threads of a service stand back for those that sign")
    func standsBack() async throws {
        let hasher = PasswordHasher(threads: 1, queueLimit: 0, niceness: 17)
        let hashing = Task {
            while !Task.isCancelled { _ = try? await hasher.reserve().hash(secret("password"), .standard) }
        }
        defer { hashing.cancel() }
        while try !Self.nicenesses().contains(17) { await Task.yield() }
    }

    /// That of each thread of this process: proc(5), the 19th field of `stat`.
    private static func nicenesses() throws -> [Int] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { thread in
            // A thread may end meanwhile.
            guard let text = try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8),
                let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 16
            else { return nil }
            return Int(fields[16])
        }
    }

    @Test("Attack S13: one owner has a few places at once; the others are for others")
    func shares() throws {
        let hasher = PasswordHasher(threads: 1, queueLimit: 4)
        for _ in 0..<2 {
            var held: [PasswordHasher.Reservation] = []
            for _ in 0..<PasswordHasher.share { if let place = try hasher.reserve(for: "alice") { held.append(place) } }
            let fourth = try hasher.reserve(for: "alice")
            #expect(fourth == nil)
            if let place = try hasher.reserve(for: "bob") { held.append(place) }
            held.removeFirst()
            if let place = try hasher.reserve(for: "alice") { held.append(place) }
            if let place = try hasher.reserve(for: "bob") { held.append(place) }
            #expect(held.count == 5)
            #expect(throws: PasswordError.self) { try hasher.reserve(for: "carol") }
        }
    }

    @Test(
        "Attack S13: no more places than threads and queue; a place that is dropped is free again",
        arguments: [(1, 0), (2, 3), (0, -1)])
    func places(_ threads: Int, _ queue: Int) throws {
        let hasher = PasswordHasher(threads: threads, queueLimit: queue)
        let places = max(1, threads) + max(0, queue)
        for _ in 0..<2 {
            var held: [PasswordHasher.Reservation] = []
            for _ in 0..<places { held.append(try hasher.reserve()) }
            #expect(throws: PasswordError.self) { try hasher.reserve() }
            #expect(throws: PasswordError.self) { try hasher.reserve() }
            held.removeLast()
            held.append(try hasher.reserve())
            #expect((try? hasher.reserve()) == nil)
            held = []
        }
        #expect(hasher.completed == 0)
    }

    @Test("Attack S13: what is refused says busy, and costs no hash")
    func busy() throws {
        let hasher = PasswordHasher(threads: 1, queueLimit: 0)
        let held = try hasher.reserve()
        let error = #expect(throws: PasswordError.self) { try hasher.reserve() }
        #expect(error?.code == .busy)
        withExtendedLifetime(held) {}
    }

    @Test("A task that is cancelled gets its answer, and gives its place back")
    func cancelled() async throws {
        let hasher = PasswordHasher(threads: 1, queueLimit: 0)
        let hash = try await hasher.reserve().hash(secret("password"), cheap)
        for _ in 0..<50 {
            // The last task's place may come back a moment after its value.
            var reservation = try? hasher.reserve()
            for _ in 0..<100_000 where reservation == nil {
                await Task.yield()
                reservation = try? hasher.reserve()
            }
            let place = try #require(reservation)
            reservation = nil
            let task = Task { try await place.matches(secret("password"), hash) }
            task.cancel()
            #expect(try await task.value)
        }
        #expect(hasher.completed == 51)
    }

    @Test("Many at once are all answered rightly")
    func parallel() async throws {
        let hasher = PasswordHasher(threads: 3, queueLimit: 500)
        let hash = try await hasher.reserve().hash(secret("password"), cheap)
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for id in 0..<400 {
                let reservation = try hasher.reserve()
                group.addTask {
                    try await reservation.matches(secret(id % 4 == 0 ? "password" : "wrong \(id)"), hash)
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(right == 100)
        #expect(hasher.completed == 401)
    }

    @Test("Attack S13: 12 answers of 128 MiB each never take more memory than the threads allow")
    func memory() async throws {
        let costs = try #require(PasswordParameters(memoryKiB: 131_072, passes: 1, lanes: 1))
        let hasher = PasswordHasher(threads: 2, queueLimit: 12)
        let before = try peakKiB()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<12 {
                let reservation = try hasher.reserve()
                group.addTask { try await reservation.matches(secret("password"), .nobody(costs)) }
            }
            for try await isRight in group { #expect(!isRight) }
        }
        // Two at a time are 256 MiB; all at once would be 1.5 GiB. What is between is for the other tests of the process.
        #expect(try peakKiB() - before < 1_048_576)
    }

    /// The most memory that this process ever had.
    private func peakKiB() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
    }
}
