import CountersignVerifier
import Signing
import Testing

@Suite("The claims of an order")
struct ClaimsTests {
    @Test("S16-S18; attacks S7, S8: everything comes from the run and its proof")
    func password() throws {
        let order = try Self.order(device: 2)
        let claims = try order.claims(issuer: "urn:x", id: Example.uuid(8), at: 61_999)
        #expect(claims.issuer == "urn:x" && claims.issuedAt == 61)
        #expect(try claims.id == Example.uuid(8))
        #expect(claims.subject.text == "alice" && claims.audience == "shop")
        #expect(claims.payload == "Pay 5.00 EUR to Bob" && claims.reason == "Invoice 17")
        #expect(claims.level == .one && claims.authenticatorType == .none)
        #expect(claims.methods == [.pwd] && claims.authTime == 60)
        #expect(try claims.device == Example.uuid(2))
        #expect(try claims.ceremony == Example.uuid(9))
    }

    @Test("Attack S8: level 0 says nothing of an authentication, an embedded store nothing of a device")
    func levelZero() throws {
        let claims = try Self.order(level: 0).claims(issuer: "x", id: Example.uuid(8), at: 60_000)
        #expect(claims.level == .none && claims.methods.isEmpty && claims.authTime == nil && claims.device == nil)
    }

    @Test("R5: a clock that went back does not put the authentication after the statement")
    func clock() throws {
        let claims = try Self.order().claims(issuer: "x", id: Example.uuid(8), at: 1000)
        #expect(claims.issuedAt == 60 && claims.authTime == 60)
    }

    @Test("A time before 1970 and an empty issuer are refused")
    func refused() throws {
        let order = try Self.order(level: 0)
        #expect(throws: InvalidReason.self) { try order.claims(issuer: "x", id: Example.uuid(8), at: -1) }
        #expect(throws: InvalidReason.self) { try order.claims(issuer: "", id: Example.uuid(8), at: 0) }
    }

    @Test("N6: the statement says which notification it answers; nothing else belongs to one")
    func occasion() throws {
        #expect(try Self.order().claims(issuer: "x", id: Example.uuid(8), at: 61_000).reserved[.notification] == nil)
        let order = try Self.order(occasion: .notification(Example.uuid(7), action: "Accept"))
        let claims = try order.claims(issuer: "x", id: Example.uuid(8), at: 61_000)
        #expect(claims.reserved[.notification] == "00000000-0000-4000-8000-000000000007")
        for name in [.request, .template, .batch, .evidence, .quorum] as [ClaimName] {
            #expect(claims.reserved[name] == nil)
        }
    }

    /// An order whose password was checked at 60,500 ms.
    private static func order(
        level: Int = 1, device: Int? = nil, occasion: Occasion? = nil
    ) throws -> SigningOrder {
        var ceremony = Ceremony()
        let standing = Standing(asker: try Example.asker(device: device), available: [.password], attemptsLeft: 3)
        let request = try Example.request(level: level, audience: "shop", occasion: occasion)
        var effects = try ceremony.handle(.start(request, standing, id: Example.uuid(9)), at: 60_000)
        if level > 0 {
            effects = try ceremony.handle(.verified(generation: 1, .right(.password(at: 60_500))), at: 60_500)
        }
        guard case .sign(let order) = effects.last else { throw NoOrder() }
        return order
    }

    private struct NoOrder: Error {}
}
