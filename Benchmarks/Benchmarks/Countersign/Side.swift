import BenchmarkSubjects
import CTwin
import Foundation
import Synchronization

/// One of two things that are measured side by side.
struct Side {
    /// What is measured.
    let run: (_ count: Int) async throws -> [[UInt8]]
    /// Looks at every result of one run, after the clock has stopped.
    var check: (_ results: [[UInt8]], _ count: Int) throws -> Void = { _, _ in }
}

extension Side {
    /// OpenSSL signs a message.
    static func openSSLSigning(_ subjects: KeySubjects) throws -> Side {
        let twin = try Twin(subjects)
        let message = subjects.message
        return Side(
            run: { count in
                twin.sign(message, times: count)
                return []
            },
            check: { _, count in try twin.checkSigned(message, times: count) })
    }

    /// OpenSSL verifies the statements' signatures; nothing is decoded or read.
    static func openSSLVerifying(_ subjects: KeySubjects) throws -> Side {
        let twin = try Twin(subjects)
        let signed = try subjects.signedMessages(twin)
        return Side(run: { count in
            try twin.verify(signed, times: count)
            return []
        })
    }

    /// Signatures of the message, which OpenSSL checks.
    static func signing(_ subjects: KeySubjects) throws -> Side {
        let twin = try Twin(subjects)
        return Side(
            run: subjects.signing(),
            check: { signatures, _ in
                for signature in signatures { try twin.check(twin.der(ofJOSE: signature), of: subjects.message) }
            })
    }

    /// Statements, whose signatures OpenSSL checks.
    static func encodingAndSigning(_ subjects: KeySubjects) throws -> Side {
        let twin = try Twin(subjects)
        return Side(
            run: subjects.encodingAndSigning(),
            check: { statements, _ in
                for statement in statements {
                    let signed = try SignedMessage(statement: statement, twin)
                    try twin.check(signed.signature, of: signed.message)
                }
            })
    }

    /// libargon2's own call, with the parameters of a new store.
    static func argon2id() -> Side {
        let salt = [UInt8](repeating: 7, count: 16)
        return Side(run: { count in
            var tag = [UInt8](repeating: 0, count: 32)
            for _ in 0..<count {
                guard twin_argon2id(PasswordSubjects.password, PasswordSubjects.password.count, salt, &tag) else {
                    throw Failure("libargon2 does not hash")
                }
            }
            return []
        })
    }

    /// The same work by several threads at once, each with contexts of its own: `count` is the sum. Threads of Dispatch:
    /// the benchmark's own loop holds one of Swift's few.
    static func threads(_ threads: Int, _ make: @escaping @Sendable () -> Subject) -> Side {
        Side(run: { count in
            let results = Mutex<Result<[[UInt8]], any Error>>(.success([]))
            DispatchQueue.concurrentPerform(iterations: threads) { _ in
                let result = Result { try make()(count / threads) }
                results.withLock { all in all = Result { try all.get() + result.get() } }
            }
            return try results.withLock { try $0.get() }
        })
    }
}

extension KeySubjects {
    /// OpenSSL signs the message, with a context of its own.
    func openSSLSigning() -> Subject {
        { count in
            let twin = try Twin(self)
            twin.sign(message, times: count)
            return []
        }
    }

    /// The statements as OpenSSL verifies them.
    func signedMessages(_ twin: Twin) throws -> [SignedMessage] {
        try statements.map { try SignedMessage(statement: $0, twin) }
    }
}

extension SignedMessage {
    /// Takes a statement apart, by another decoder than ours.
    init(statement: [UInt8], _ twin: Twin) throws {
        guard let dot = statement.lastIndex(of: UInt8(ascii: ".")) else { throw Failure("not a statement") }
        var text = String(decoding: statement[(dot + 1)...], as: UTF8.self)
        text = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let signature = Data(base64Encoded: text) else { throw Failure("not base64url") }
        self.init(message: Array(statement[..<dot]), signature: twin.der(ofJOSE: Array(signature)))
    }
}
