internal import CountersignKeys
internal import CountersignVerifier
internal import Passwords
internal import Sessions
internal import Signing
internal import Storage

/// What is known of somebody at the door before their password is hashed. Whoever it is, exactly one hash follows.
struct DoorVisit: Sendable {
    /// The hash that follows.
    enum Work: Sendable {
        /// Whether the password is that of this hash, which may be somebody else's: the work counts then, not its result.
        case compare(PasswordHash)
        /// A user who has none sets it.
        case set(PasswordParameters)
    }

    let work: Work
    /// Whether a right password lets in.
    var counts: Bool
    /// Whether an attempt was taken on the user's log-in ledger.
    var isTaken: Bool
    let userVersion: Int64?

    /// A visit that leads to nothing, whatever the password is.
    init(inVain hash: PasswordHash) {
        work = .compare(hash)
        counts = false
        isTaken = false
        userVersion = nil
    }

    /// The visit of somebody who may be let in.
    init(_ work: Work, of user: UserRow) {
        self.work = work
        counts = !user.isLocked
        isTaken = false
        userVersion = user.version
    }
}

extension SigningEngine {
    /// What came of the one hash.
    enum DoorResult: Sendable {
        case wrong
        case right
        /// The hash that becomes the user's.
        case new(PasswordHash)
    }

    /// Takes places among the strangers and attempts until both are there. The place in the queue is not held while waiting for an
    /// attempt.
    func strangersVisit(
        _ take: () async throws -> DoorVisit?
    ) async throws -> (DoorVisit, PasswordHasher.Reservation) {
        while true {
            do {
                let reservation = try reserve(on: strangers)
                if let visit = try await take() { return (visit, reservation) }
            }
            try await clock.sleep(20)
        }
    }

    /// Does the one hash.
    func work(
        _ visit: DoorVisit, _ password: SecretBytes, _ reservation: PasswordHasher.Reservation
    ) async throws -> DoorResult {
        do {
            switch visit.work {
            case .compare(let hash):
                let matches = try await reservation.matches(password, hash)
                return matches && visit.counts ? .right : .wrong
            case .set(let parameters):
                let hash = try await reservation.hash(password, parameters)
                return visit.counts ? .new(hash) : .wrong
            }
        } catch {
            throw error.code == .outOfMemory ? Refusal(.authenticationBusy) : error
        }
    }

    /// Settles a wrong password of a user's device, and records it.
    func settleWrongLogin(
        _ attempt: UUIDText, _ visit: DoorVisit, of name: UserName, _ once: Once<SessionGrant>?
    ) async throws {
        let masterKey = masterKey
        do {
            try await write { transaction in
                try transaction.begin(once)
                try transaction.settleWrongLogin(attempt, visit, of: name)
                try transaction.keep(refusal: Refusal(.authenticationFailed), once, masterKey)
            }
        } catch let error as StorageError where error.code == .constraint && once != nil {
            // The same request was faster, and its password counted.
            try await giveBackIfFailed(attempt, visit, of: name) { throw error }
        }
    }

    /// Does something for which an attempt was taken, and gives it back where that fails. If giving back fails as well, it comes back
    /// when its time is over.
    func giveBackIfFailed<T: Sendable>(
        _ attempt: UUIDText, _ visit: DoorVisit, of name: UserName?, _ body: () async throws -> T
    ) async throws -> T {
        do {
            return try await body()
        } catch {
            if visit.isTaken, let name {
                try? await write { transaction in
                    try transaction.changeLedger(name.text, .login, ceremony: "") { $0.giveBack(attempt) }
                }
            }
            throw error
        }
    }
}

extension Transaction {
    /// Takes an attempt on the log-in ledger of a user.
    ///
    /// - Returns: nil where none is free, but some are being checked: ask again. Blocked: the visit is in vain.
    func takeLogin(_ attempt: UUIDText, _ visit: DoorVisit, of user: UserRow) throws -> DoorVisit? {
        var visit = visit
        let end = now.saturatingAdd(Challenge.lifetime)
        let taken = try changeLedger(user.name, .login, ceremony: "") { $0.take(attempt, at: now, expiresAt: end) }
        switch taken {
        case .taken: visit.isTaken = true
        case .wait: return nil
        case .blocked, .locked: visit.counts = false
        }
        return visit
    }

    fileprivate func settleWrongLogin(_ attempt: UUIDText, _ visit: DoorVisit, of name: UserName) throws {
        guard visit.isTaken else {
            return try record(
                .loginWrong, user: name.text, result: .authenticationFailed, detail: "not counted: blocked or locked")
        }
        switch try changeLedger(name.text, .login, ceremony: "", { $0.wrong(attempt, at: now) }) {
        case .wrong(let left):
            try record(
                .loginWrong, user: name.text, result: .authenticationFailed, detail: "attempts left: \(left)")
        case .blocked, .locked:
            try record(.loginExhausted, user: name.text, result: .authenticationFailed)
        case .right, .late:
            try record(.loginWrong, user: name.text, result: .authenticationFailed)
        }
    }

    /// Settles a right password, where an attempt was taken for it.
    ///
    /// - Returns: whether it counts: not after a block that began meanwhile, or too late.
    func settleRightLogin(_ attempt: UUIDText, _ visit: DoorVisit, of name: UserName) throws -> Bool {
        guard visit.isTaken else { return true }
        return try changeLedger(name.text, .login, ceremony: "", { $0.right(attempt, at: now) }) == .right
    }
}
