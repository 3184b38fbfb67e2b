import CountersignKeys
import CountersignVerifier

/// Signs statements: from claims to text.
final class StatementSigning: ThreadWork {
    private let subject: BenchKey
    private let signer: StatementSigner
    private let plain: PlainOpenSSL
    private var statements: [[UInt8]] = []

    init(_ subject: BenchKey) throws {
        self.subject = subject
        signer = StatementSigner(subject.key)
        plain = try PlainOpenSSL(subject.key)
    }

    func run(_ count: Int) throws -> Int {
        statements.removeAll(keepingCapacity: true)
        statements.reserveCapacity(count)
        for index in 0..<count {
            let claims = subject.claims[index % subject.claims.count]
            statements.append(try StatementText.sign(claims, with: signer))
        }
        return count
    }

    func check() throws {
        for statement in statements { _ = try BenchKey.checked(statement, plain) }
    }
}

/// OpenSSL signs a message as long as a statement's.
final class PlainSigning: ThreadWork {
    private let message: [UInt8]
    private let plain: PlainOpenSSL

    init(_ subject: BenchKey) throws {
        message = subject.message
        plain = try PlainOpenSSL(subject.key)
    }

    func run(_ count: Int) throws -> Int {
        try plain.sign(message, times: count)
        return count
    }

    func check() throws {
        guard plain.areValid(for: message) else { throw Failure.wrongResult("OpenSSL refuses its own signature") }
    }
}
