import CountersignJOSE

/// The words of the command line.
enum Arguments {
    /// All but the program's name. One that is not UTF-8 is refused: Swift would repair it silently, and then something
    /// else would be signed than was typed.
    static func checked() throws(Failure) -> [String] {
        var words: [String] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let start = unsafe CommandLine.unsafeArgv[index] else { break }
            guard let word = unsafe String(validatingCString: start) else {
                throw Failure(
                    .refusedInput, "argument \(index) is not valid UTF-8",
                    advice: "Give text as UTF-8, or a file by --in; a file name that is not UTF-8 can be given by `<`.")
            }
            words.append(word)
        }
        return withKeyIDsLast(words)
    }

    /// A key's id may begin with `-`, since it is base64url; argument-parser would read it as options. No option has
    /// that form, so such a word can go to the end, behind `--`. The value of an option stays where it is.
    private static func withKeyIDsLast(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        var (kept, keyIDs): ([String], [String]) = ([], [])
        for word in words[..<end] {
            let isValue = ["--root", "--key", "--to"].contains(kept.last)
            if word.utf8.first == UInt8(ascii: "-"), Thumbprint.isWellFormed(word), !isValue {
                keyIDs.append(word)
            } else {
                kept.append(word)
            }
        }
        return keyIDs.isEmpty ? words : kept + ["--"] + keyIDs + words[end...].dropFirst()
    }
}
