package import CountersignKeys
internal import Synchronization

/// Hashes passwords on threads of its own, a few at a time; the others wait, and too many are refused (attack S13).
package final class PasswordHasher: Sendable {
    /// A place in the queue, held from before the attempt is taken until this value goes.
    package final class Reservation: Sendable {
        private let hasher: PasswordHasher
        private let owner: String?

        fileprivate init(_ hasher: PasswordHasher, _ owner: String? = nil) {
            self.hasher = hasher
            self.owner = owner
        }

        deinit {
            hasher.state.withLock { state in
                state.reserved -= 1
                guard let owner, let share = state.shares[owner] else { return }
                state.shares[owner] = share > 1 ? share - 1 : nil
            }
        }

        /// Hashes a password with a new salt.
        package func hash(
            _ password: SecretBytes, _ parameters: PasswordParameters
        ) async throws(PasswordError) -> PasswordHash {
            let salt: [UInt8]
            do { salt = try SecureRandom.bytes(PasswordHash.saltBytes) } catch {
                throw PasswordError(.failed, "no salt: \(error.detail)")
            }
            let tag = try await hasher.tag(password, salt, parameters)
            return PasswordHash(parameters: parameters, salt: salt, tag: tag)
        }

        /// Whether a password is the one of a hash.
        package func matches(
            _ password: SecretBytes, _ hash: PasswordHash
        ) async throws(PasswordError) -> Bool {
            let tag = try await hasher.tag(password, hash.salt, hash.parameters)
            return constantTimeEqual(tag.span, hash.tag.span)
        }
    }

    /// One hash. It is given the memory of its thread; none where there is no thread.
    private typealias Job = @Sendable (HashingMemory?) -> Void

    private struct State {
        var reserved = 0
        /// How many places each owner has.
        var shares: [String: Int] = [:]
        var running = 0
        var waiting: [Job] = []
        var completed = 0
    }

    /// How far the threads of a service stand back: a tenth of the weight that those have that sign.
    package static let serviceNiceness = 10

    /// How many places one owner has at most.
    package static let share = 3

    private let threads: Int
    private let places: Int
    private let niceness: Int32
    private let state = Mutex(State())

    /// A hasher.
    ///
    /// - Parameters:
    ///   - threads: how many hashes are computed at once, at least 1. Each takes the memory of its parameters.
    ///   - queueLimit: how many more may wait.
    ///   - niceness: how far the threads stand back for others where processors are short, 0 to 19: a flood of passwords must not take
    ///     from signing what it needs (`docs/benchmarks.md`).
    package init(threads: Int, queueLimit: Int, niceness: Int = 0) {
        self.threads = max(1, threads)
        self.niceness = Int32(min(max(niceness, 0), 19))
        places = self.threads + max(0, queueLimit)
    }

    /// How many places of the queue are taken: hashes that run, and those that wait.
    package var queueLength: Int { state.withLock { $0.reserved } }

    /// How many hashes were computed.
    package var completed: Int { state.withLock { $0.completed } }

    /// Takes a place in the queue.
    ///
    /// - Throws: `busy` where none is free.
    package func reserve() throws(PasswordError) -> Reservation {
        let isFree = state.withLock { state in
            guard state.reserved < places else { return false }
            state.reserved += 1
            return true
        }
        guard isFree else { throw PasswordError(.busy, "\(places) passwords are being hashed or wait for it") }
        return Reservation(self)
    }

    /// Takes a place in the queue for somebody who may have a few at once, so that they fill no queue alone.
    ///
    /// - Returns: nil where all of theirs are taken: ask again.
    /// - Throws: `busy` where none is free.
    package func reserve(for owner: String) throws(PasswordError) -> Reservation? {
        let isFree: Bool? = state.withLock { state in
            let share = state.shares[owner, default: 0]
            guard share < Self.share else { return nil }
            guard state.reserved < places else { return false }
            state.reserved += 1
            state.shares[owner] = share + 1
            return true
        }
        guard let isFree else { return nil }
        guard isFree else { throw PasswordError(.busy, "\(places) passwords are being hashed or wait for it") }
        return Reservation(self, owner)
    }

    private func tag(
        _ password: SecretBytes, _ salt: [UInt8], _ parameters: PasswordParameters
    ) async throws(PasswordError) -> [UInt8] {
        let result = await withCheckedContinuation { continuation in
            submit { memory in
                let result: Result<[UInt8], PasswordError>
                do throws(PasswordError) {
                    guard let memory else { throw PasswordError(.outOfMemory, "no thread for a hash") }
                    result = .success(try Argon2id.tag(of: password, salt: salt, parameters, in: memory))
                } catch {
                    result = .failure(error)
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    private func submit(_ job: @escaping Job) {
        let starts = state.withLock { state in
            guard state.running < threads else {
                state.waiting.append(job)
                return false
            }
            state.running += 1
            return true
        }
        guard starts, !HashingThread.start(niceness: niceness, { self.work(job) }) else { return }
        // Those that wait are left to the threads that run; without any, nobody would ever come for them.
        let orphans = state.withLock { state in
            state.running -= 1
            guard state.running == 0 else { return [Job]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for job in [job] + orphans { job(nil) }
    }

    /// Does the job, then those that wait; a thread lives as long as there are any.
    private func work(_ job: @escaping Job) {
        let memory = HashingMemory()
        var next: Job? = job
        while let job = next {
            // Counted first: whoever gets the result finds it counted.
            state.withLock { $0.completed += 1 }
            job(memory)
            next = state.withLock { state in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.running -= 1
                return nil
            }
        }
    }
}
