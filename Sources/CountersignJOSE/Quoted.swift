/// A text from outside for a message: at most 64 characters, and what is not printable ASCII as `<U+001B>`, so that a
/// terminal shows it and does nothing else. Without a backslash, since whoever prints the message escapes it as well.
func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars.prefix(64) {
        if (" "..."~").contains(scalar), scalar != "\"", scalar != "<" {
            quoted.unicodeScalars.append(scalar)
        } else {
            let digits = String(scalar.value, radix: 16, uppercase: true)
            quoted += "<U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ">"
        }
    }
    return quoted + (text.unicodeScalars.dropFirst(64).isEmpty ? "\"" : "...\"")
}
