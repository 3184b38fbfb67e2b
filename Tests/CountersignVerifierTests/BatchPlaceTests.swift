import CountersignVerifier
import Testing

@Suite("The claim batch")
struct BatchPlaceTests {
    /// `printf 'countersign-batch\n'; for p in 'Pay 5.00 EUR' 'Pay 7.00 EUR'; do printf %s "$p" | sha256sum | cut -c1-64; done`, all of it
    /// through SHA-256 and base64url.
    private static let digest = "KbqvZ22QsE9t1T9goRiqLX5teJQJFjJhcoZKTeUwYGc"

    @Test("O45: the digest is that of the documentation's recipe")
    func digest() {
        #expect(BatchPlace.digest(of: ["Pay 5.00 EUR", "Pay 7.00 EUR"]) == Self.digest)
        #expect(BatchPlace.digest(of: ["Pay 7.00 EUR", "Pay 5.00 EUR"]) != Self.digest)
        #expect(BatchPlace.digest(of: []).utf8.count == 43)
    }

    @Test("It is read in its one spelling")
    func text() throws {
        let place = try #require(BatchPlace("\(Self.digest).3.10"))
        #expect(place.digest == Self.digest && place.position == 3 && place.count == 10)
        #expect(place.description == "\(Self.digest).3.10")
        for wrong in [
            "", ".", "..", "\(Self.digest)", "\(Self.digest).3", "\(Self.digest).3.10.", "\(Self.digest).0.10",
            "\(Self.digest).11.10", "\(Self.digest).03.10", "\(Self.digest).3.010", "\(Self.digest).+3.10",
            "\(Self.digest).3.1000000000", "\(Self.digest).\u{663}.10", "\(Self.digest)A.3.10",
            "\(Self.digest.dropLast()).3.10", "\(Self.digest.dropLast())=.3.10", "\(Self.digest).3.10\n",
            "\(Self.digest). 3.10", "\(Self.digest).-1.10", "\(Self.digest.dropLast())9.3.10",
        ] {
            #expect(BatchPlace(wrong) == nil, "\(wrong)")
        }
    }
}
