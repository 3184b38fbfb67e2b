import CountersignKeys
import CountersignVerifier

/// Verifies statements one at a time: format, key, signature, state of the key, policy. A run throws where one is refused.
final class StatementVerifying: ThreadWork {
    private let subject: BenchKey
    private let session: VerificationSession

    init(_ subject: BenchKey) {
        self.subject = subject
        session = subject.verifier.makeSession()
    }

    func run(_ count: Int) throws -> Int {
        for index in 0..<count {
            let statement = subject.statements[index % subject.statements.count]
            guard case .valid = session.verify(statement.span, at: subject.time) else {
                throw Failure.wrongResult("a good statement was refused")
            }
        }
        return count
    }

    func check() {}
}

/// OpenSSL verifies the statements' signatures; nothing is decoded or read.
final class PlainVerifying: ThreadWork {
    private let signed: [PlainOpenSSL.SignedMessage]
    private let plain: PlainOpenSSL

    init(_ subject: BenchKey) throws {
        signed = subject.signed
        plain = try PlainOpenSSL(subject.key)
    }

    func run(_ count: Int) throws -> Int {
        for index in 0..<count where !plain.isValid(signed[index % signed.count]) {
            throw Failure.wrongResult("OpenSSL refuses a good signature")
        }
        return count
    }

    func check() {}
}

/// Verifies the lines of a file as `verify` does, from the bytes of a block to the printed verdicts. A run throws where one is refused.
final class LineVerifying: ThreadWork {
    private let lines: [UInt8]
    private let count: Int
    private let session: VerificationSession
    private let format = VerdictFormat(style: .text, file: nil)

    init(_ subject: BenchKey) {
        lines = subject.statements.reduce(into: []) { lines, statement in
            lines += statement
            lines.append(UInt8(ascii: "\n"))
        }
        count = subject.statements.count
        session = subject.verifier.makeSession()
    }

    func run(_ count: Int) throws -> Int {
        var done = 0
        var output: [UInt8] = []
        while done < count {
            output.removeAll(keepingCapacity: true)
            guard verify(&output) == self.count else { throw Failure.wrongResult("a good line was refused") }
            done += self.count
        }
        return done
    }

    func check() {}

    /// - Returns: how many are valid.
    private func verify(_ output: inout [UInt8]) -> Int {
        var tally = Tally()
        let now = WallClock.seconds
        let lines = lines
        let bytes = lines.span
        var start = 0
        var line = 1
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
            let verdict = session.verdict(on: bytes.extracting(start..<index), at: now)
            tally.add(verdict)
            format.append(verdict, line: line, to: &output)
            start = index + 1
            line += 1
        }
        return tally.valid
    }
}
