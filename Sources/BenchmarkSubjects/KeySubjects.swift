public import CountersignKeys
internal import CountersignVerifier

/// What is measured with one key. The key is made for the run and thrown away after it.
public struct KeySubjects: Sendable {
    /// The algorithm of the key.
    public let algorithm: KeyAlgorithm
    /// Its public half.
    public var publicKey: PublicKey { key.publicKey }
    /// PKCS#8 DER, so that OpenSSL's own calls work with the same key.
    public let privateKey: [UInt8]
    /// Compact statements of the example's size, which are verified in turn.
    public let statements: [[UInt8]]
    /// A message of the example's size: the signing input of the first statement.
    public let message: [UInt8]

    private let key: PrivateKey
    private let claims: [Claims]

    /// Makes a key (RSA of 2,048 bits) and its statements, at least one.
    public init(_ algorithm: KeyAlgorithm, statementCount: Int = 64) throws {
        self.algorithm = algorithm
        key = try PrivateKey(generating: algorithm, rsaBits: 2048)
        privateKey = try key.der().withBytes { bytes in bytes.indices.map { bytes[$0] } }
        let signer = StatementSigner(key)
        claims = try (0..<max(1, statementCount)).map(ExampleClaims.make)
        statements = try claims.map { try StatementText.sign($0, with: signer) }
        message = Array(statements[0].prefix(statements[0].lastIndex(of: UInt8(ascii: ".")) ?? 0))
    }

    /// A bare signature of `message`.
    public func signing() -> Subject {
        let signer = key.makeSigner()
        return { count in
            var signatures: [[UInt8]] = []
            signatures.reserveCapacity(count)
            for _ in 0..<count { signatures.append(try signer.sign(message.span)) }
            return signatures
        }
    }

    /// A bare verification of a signature of `message`.
    public func verifying() throws -> Subject {
        let signature = try key.makeSigner().sign(message.span)
        let verifier = key.publicKey.makeVerifier()
        return { count in
            for _ in 0..<count where !verifier.isValid(signature.span, for: message.span) {
                throw SubjectFailure("a good signature was refused")
            }
            return []
        }
    }

    /// Claims to a statement, all but its signature.
    public func encoding() -> Subject {
        let signer = StatementSigner(key)
        return { count in
            for index in 0..<count { _ = signer.signingInput(claims[index % claims.count]) }
            return []
        }
    }

    /// Claims to a finished statement. The claims are the subject's own: threads that count the references to the same ones wait for each other.
    public func encodingAndSigning() -> Subject {
        let signer = StatementSigner(key)
        let number = claims.count
        return { count in
            let claims = try (0..<number).map(ExampleClaims.make)
            var statements: [[UInt8]] = []
            statements.reserveCapacity(count)
            for index in 0..<count {
                statements.append(try StatementText.sign(claims[index % claims.count], with: signer))
            }
            return statements
        }
    }

    /// A statement to its verdict: format, key, signature, state of the key, policy.
    public func parsingAndVerifying() -> Subject {
        let verifier = StatementVerifier(trust: TrustStore(keys: [TrustedKey(key: key.publicKey)]))
        let session = verifier.makeSession()
        return { count in
            for index in 0..<count {
                let statement = statements[index % statements.count]
                guard case .valid = session.verify(statement.span, at: ExampleClaims.time) else {
                    throw SubjectFailure("a good statement was refused")
                }
            }
            return []
        }
    }

    /// The same, many of one buffer at once, as a file's are; what is made once for a key that signed many is made before.
    public func parsingAndVerifyingMany() throws -> Subject {
        let session = StatementVerifier(trust: TrustStore(keys: [TrustedKey(key: key.publicKey)])).makeSession()
        var buffer: [UInt8] = []
        var lines: [Range<Int>] = []
        for index in 0..<Self.blockLines {
            let start = buffer.count
            buffer += statements[index % statements.count]
            lines.append(start..<buffer.count)
        }
        let subject: Subject = { count in
            for first in stride(from: 0, to: count, by: lines.count) {
                let some = Array(lines.prefix(count - first))
                for verdict in session.verify(some, of: buffer.span, at: ExampleClaims.time) {
                    guard case .valid = verdict else { throw SubjectFailure("a good statement was refused") }
                }
            }
            return []
        }
        _ = try subject(4 * Self.blockLines)
        return subject
    }

    /// How many lines are verified at once: about what a block of a file has.
    private static let blockLines = 1024
}
