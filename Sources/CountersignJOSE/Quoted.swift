/// A text from outside for a message: at most 64 characters, and what is not printable ASCII as `\u{...}`, so that a
/// terminal shows it and does nothing else.
func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars.prefix(64) {
        if (" "..."~").contains(scalar), scalar != "\"", scalar != "\\" {
            quoted.unicodeScalars.append(scalar)
        } else {
            quoted += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
    }
    return quoted + (text.unicodeScalars.dropFirst(64).isEmpty ? "\"" : "...\"")
}
