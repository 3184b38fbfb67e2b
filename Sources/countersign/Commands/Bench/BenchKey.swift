import CountersignJOSE
import CountersignKeys
import CountersignVerifier

/// A key that is made for the run and thrown away after it, with statements of ordinary size: level 1 by password, some 55 characters of
/// payload, no two alike.
struct BenchKey: Sendable {
    let key: PrivateKey
    let claims: [Claims]
    let statements: [[UInt8]]
    /// The statements' messages with their signatures as OpenSSL spells them. OpenSSL found each of them valid.
    let signed: [PlainOpenSSL.SignedMessage]
    let verifier: StatementVerifier
    /// When they were signed, seconds since 1970.
    let time: Int64

    /// The message of the first statement.
    var message: [UInt8] { Self.parts(of: statements[0]).message }

    private static let count = 256

    init(_ algorithm: KeyAlgorithm) throws {
        key = try PrivateKey(generating: algorithm)
        time = WallClock.seconds
        let (signer, time) = (StatementSigner(key), time)
        claims = try (0..<Self.count).map { try Self.claims($0, at: time) }
        statements = try claims.map { try StatementText.sign($0, with: signer) }
        let plain = try PlainOpenSSL(key)
        signed = try statements.map { try Self.checked($0, plain) }
        verifier = StatementVerifier(trust: TrustStore(keys: [TrustedKey(key: key.publicKey)]))
        try checkRefusal()
    }

    /// A line with one of the statements, of any number.
    func line(_ number: Int) -> [UInt8]? {
        statements.isEmpty ? nil : statements[number % statements.count] + [UInt8(ascii: "\n")]
    }

    /// A statement taken apart, which OpenSSL finds valid.
    static func checked(_ statement: [UInt8], _ plain: PlainOpenSSL) throws -> PlainOpenSSL.SignedMessage {
        let (message, text) = parts(of: statement)
        guard let signature = Base64URL.decode(text.span), let signed = plain.signedMessage(message, signature),
            plain.isValid(signed)
        else { throw Failure.wrongResult("a signature that was made is not valid") }
        return signed
    }

    /// Whoever finds everything valid would be the fastest.
    private func checkRefusal() throws {
        var statement = statements[0]
        let place = statement.count - 20
        statement[place] = statement[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        guard case .invalid(.signature) = verifier.verify(statement, at: time) else {
            throw Failure.wrongResult("a wrong signature was not refused")
        }
    }

    private static func parts(of statement: [UInt8]) -> (message: [UInt8], signature: [UInt8]) {
        let dot = statement.lastIndex(of: UInt8(ascii: ".")) ?? statement.count
        return (Array(statement[..<dot]), Array(statement[dot...].dropFirst()))
    }

    private static func claims(_ number: Int, at time: Int64) throws -> Claims {
        guard let user = UserName("alice"), let id = UUIDText(try SecureRandom.uuid()),
            let ceremony = UUIDText(try SecureRandom.uuid())
        else { throw Failure(.unavailable, "the random source made no UUID") }
        return try Claims(
            issuer: "urn:uuid:\(try SecureRandom.uuid())", subject: user, audience: nil, issuedAt: time, id: id,
            payload: "Pay \(1000 + number).00 EUR to ACME GmbH, DE89 3704 0044 0532 0130 00", reason: "Quarterly rent",
            level: .one, authenticatorType: .none, methods: [.pwd], authTime: time, device: nil, ceremony: ceremony)
    }
}
