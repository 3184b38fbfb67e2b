import Outbound
import SigningService
import Testing

@Suite("Where a webhook may be")
struct WebhookURLTests {
    @Test("What the setting takes can be sent to: of every authority of up to four such characters")
    func agreement() {
        let characters = ["a", "f", "g", "Z", "0", "9", "-", "_", ".", ":", "[", "]", "@", "%"]
        var authorities = [""]
        var taken = 0
        for _ in 0..<4 {
            authorities = authorities.flatMap { authority in characters.map { authority + $0 } }
            for authority in authorities {
                for url in ["https://\(authority)", "https://\(authority)/hook", "https://[::\(authority)"]
                where WebhookURL.check(url) {
                    taken += 1
                    #expect(GuardedExchange.host(of: url) != nil, "\(url)")
                }
            }
        }
        #expect(taken > 1_000)
    }
}
