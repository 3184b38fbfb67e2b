import Sessions
import Testing

@Suite("Names of clients")
struct NameTests {
    @Test(
        "A client's name has one spelling",
        arguments: [
            ("a", true), ("0", true), ("payroll", true), ("pay.roll_2-x", true),
            (String(repeating: "a", count: 64), true),
            ("", false), (String(repeating: "a", count: 65), false), ("-a", false), (".a", false), ("_a", false),
            ("Payroll", false), ("pay roll", false), ("pay@roll", false), ("pay/roll", false), ("payröll", false),
            ("a\u{301}", false), ("\u{430}", false), ("a\n", false), ("a\u{0}", false), ("\u{FF41}", false),
        ])
    func clientName(text: String, isName: Bool) {
        #expect((ClientName(text)?.text == text) == isName)
    }
}
