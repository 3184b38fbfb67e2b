import Devices
import Signing
import Testing

@Suite("Names of devices")
struct DeviceNameTests {
    @Test(
        "D23, D24, D8: a device's name is trimmed and has 3 to 50 characters",
        arguments: [
            ("Mac", "Mac"), ("  Anna's phone\t\n", "Anna's phone"), ("\u{3000}電話機\u{A0}", "電話機"),
            ("a b", "a b"), (String(repeating: "x", count: 50), String(repeating: "x", count: 50)),
            ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦"), ("e\u{301}e\u{301}e\u{301}", "e\u{301}e\u{301}e\u{301}"),
        ])
    func deviceName(typed: String, name: String) throws {
        #expect(Array(try DeviceName.parse(typed).utf8) == Array(name.utf8))
    }

    @Test(
        "D23, D24, D8: what is no device's name is refused by its reason",
        arguments: [
            ("", .deviceNameEmpty), (" ", .deviceNameEmpty), ("\n\t ", .deviceNameEmpty),
            ("\u{200B}\u{200B}\u{200B}", .deviceNameEmpty), ("\u{3164}\u{3164}\u{3164}", .deviceNameEmpty),
            ("\u{2800}\u{2800}\u{2800}", .deviceNameEmpty),
            ("a", .deviceNameTooShort), (" ab ", .deviceNameTooShort), ("e\u{301}e\u{301}", .deviceNameTooShort),
            (String(repeating: "x", count: 51), .deviceNameTooLong),
            ("x" + String(repeating: "\u{301}", count: 300) + "yz", .deviceNameTooLong),
            (String(repeating: "x", count: 1 << 20), .deviceNameTooLong),
            ("My\nphone", .deviceNameCharacter), ("My\tphone", .deviceNameCharacter),
            ("phone\u{202E}enohp", .deviceNameCharacter), ("\u{2066}phone", .deviceNameCharacter),
            ("phone\u{200F}", .deviceNameCharacter), ("a\u{1B}[2J", .deviceNameCharacter),
            ("a\u{0}b", .deviceNameCharacter), ("a\u{2028}b", .deviceNameCharacter),
            ("ab\u{FFFE}", .deviceNameCharacter),
        ] as [(String, Refusal.Code)])
    func refusedDeviceName(typed: String, code: Refusal.Code) {
        #expect(performing: { try DeviceName.parse(typed) }, throws: { ($0 as? Refusal)?.code == code })
    }
}
