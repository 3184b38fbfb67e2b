internal import CountersignKeys
internal import CountersignVerifier

/// Claims of an ordinary statement: level 1 by password, a payload of some 60 characters.
enum ExampleClaims {
    /// When they were signed, and when they are verified: seconds since 1970.
    static let time: Int64 = 1_767_225_600

    /// Claims that differ from one number to the next where real ones would.
    static func make(_ number: Int) throws -> Claims {
        guard let user = UserName("alice") else { throw SubjectFailure("alice is no user name") }
        return try Claims(
            issuer: "urn:uuid:0b9fbb4b-6d3f-4e2c-9c43-5a1d0d7f6f10", subject: user, audience: nil, issuedAt: time,
            id: identifier(), payload: "Pay \(1000 + number).00 EUR to ACME GmbH, DE89 3704 0044 0532 0130 00",
            reason: "Quarterly rent", level: .one, authenticatorType: .none, methods: [.pwd], authTime: time,
            device: nil, ceremony: identifier())
    }

    private static func identifier() throws -> UUIDText {
        guard let id = UUIDText(try SecureRandom.uuid()) else { throw SubjectFailure("not a UUID") }
        return id
    }
}
