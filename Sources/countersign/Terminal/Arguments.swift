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
        return words
    }
}
