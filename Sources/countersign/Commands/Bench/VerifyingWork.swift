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

/// Verifies the lines of a file as `verify` does, block by block, from the bytes to the printed verdicts. A run throws where one is refused.
final class LineVerifying: ThreadWork {
    private let block: LineReader.Block
    private let count: Int
    private let verification: BlockVerification
    private var output: [UInt8] = []

    init(_ subject: BenchKey) throws {
        var block = LineReader.Block()
        var count = 0
        // As many lines as a block has when it is read from a file.
        while let next = subject.line(count), block.bytes.count + next.count <= LineReader.blockSize {
            block.bytes += next
            count += 1
        }
        block.findLines()
        self.block = block
        self.count = count
        verification = BlockVerification(subject.verifier, VerdictFormat(style: .text, file: nil))
        // What is made once a file, for a key that signed much of it, is made before.
        _ = try run(4 * count)
    }

    func run(_ count: Int) throws -> Int {
        var done = 0
        while done < count {
            output.removeAll(keepingCapacity: true)
            guard verification.verify(block, &output).valid == self.count else {
                throw Failure.wrongResult("a good line was refused")
            }
            done += self.count
        }
        return done
    }

    func check() {}
}
