import CountersignVerifier
import Signing
import Testing

/// Values that many tests need.
enum Example {
    static func uuid(_ number: Int) throws -> UUIDText {
        let digits = String(number, radix: 16)
        let tail = String(repeating: "0", count: 12 - digits.count) + digits
        return try #require(UUIDText("00000000-0000-4000-8000-\(tail)"))
    }

    static func user() throws -> UserName { try #require(UserName("alice")) }

    static func request(
        payload: String = "Pay 5.00 EUR to Bob", reason: String = "Invoice 17", level: Int = 1, type: Int = 0,
        audience: String? = nil, occasion: Occasion? = nil, isLevelZeroAllowed: Bool = true
    ) throws -> SigningRequest {
        try SigningRequest(
            user: user(), payload: payload, reason: reason, level: level, type: type, audience: audience,
            occasion: occasion, isLevelZeroAllowed: isLevelZeroAllowed)
    }

    static func asker(session: Int = 1, device: Int? = nil) throws -> Asker {
        Asker(session: try uuid(session), device: try device.map(uuid))
    }
}
