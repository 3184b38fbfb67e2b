import Dispatch
import SigningService
import Synchronization
import Testing

@Suite("Work in portions")
struct PortionsTests {
    private struct Broken: Error, Equatable {
        let number: Int
    }

    /// Which portions were done, in the order in which they began.
    private final class Log: Sendable {
        private let numbers = Mutex<[Int]>([])

        func add(_ number: Int) { numbers.withLock { $0.append(number) } }

        var all: [Int] { numbers.withLock { $0 } }
    }

    /// Runs what blocks on a thread that may.
    private func blocking<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
        }
    }

    @Test("Who wants a value that nobody works on does it, and what is before it")
    func alone() throws {
        let log = Log()
        let portions = Portions(5) { number in
            log.add(number)
            return number * number
        }
        #expect(try portions.value(2) == 4)
        #expect(log.all == [0, 1, 2])
        #expect(try (0..<5).map { try portions.value($0) } == [0, 1, 4, 9, 16])
        portions.doNext()
        #expect(log.all == [0, 1, 2, 3, 4], "each once")
    }

    @Test("Each is done once, whoever wants them and however many at once")
    func together() async throws {
        let log = Log()
        let portions = Portions(200) { number in
            log.add(number)
            return number
        }
        await portions.begin(returningAfter: 20, processors: 2)
        #expect(log.all.count >= 20)
        try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask { try await blocking { try (0..<200).map { try portions.value($0) } } }
            }
            for try await values in group { #expect(values == Array(0..<200)) }
        }
        #expect(log.all.sorted() == Array(0..<200))
    }

    @Test("Who waits for one that another thread does, does the others first")
    func helps() async throws {
        let log = Log()
        let (isBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let portions = Portions(4) { number in
            log.add(number)
            if number == 0 {
                isBegun.signal()
                mayEnd.wait()
            }
            // The last one lets the first go on: without it, nobody would ever be done.
            if number == 3 { mayEnd.signal() }
            return number
        }
        async let other: Void = blocking { portions.doNext() }
        let value = try await blocking {
            isBegun.wait()
            return try portions.value(0)
        }
        try await other
        #expect(value == 0)
        #expect(log.all == [0, 1, 2, 3])
    }

    @Test("O44: where one fails nobody gets any, and what nobody has begun is left")
    func fails() async throws {
        let log = Log()
        let portions = Portions(6) { number in
            log.add(number)
            if number == 2 { throw Broken(number: number) }
            return number
        }
        #expect(throws: Broken(number: 2)) { try portions.value(4) }
        for number in 0..<6 { #expect(throws: Broken(number: 2)) { try portions.value(number) } }
        portions.doNext()
        await portions.begin(returningAfter: 6, processors: 2)
        #expect(log.all == [0, 1, 2])
    }

    @Test("O44: a failure reaches those who wait")
    func failsElsewhere() async throws {
        let (isBegun, mayFail) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let portions = Portions(2) { number in
            if number == 0 {
                isBegun.signal()
                mayFail.wait()
                throw Broken(number: 0)
            }
            mayFail.signal()
            return number
        }
        async let other: Void = blocking { portions.doNext() }
        await #expect(throws: Broken(number: 0)) {
            try await blocking {
                isBegun.wait()
                return try portions.value(0)
            }
        }
        try await other
    }
}
