import ArgumentParser
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

    /// Refuses an option that is given a second value: a policy must not depend on which of two comes last.
    static func refuseRepeated(_ words: [String]) throws(Failure) {
        guard OptionWord.mayRepeat(words[...]) else { return }
        let (command, rest) = Self.command(of: words)
        let options = KnownOptions(of: command)
        // One that the command does not have is told of first.
        guard options.firstUnknown(in: rest) == nil, let name = options.firstRepeated(in: rest) else { return }
        throw Failure(.refusedInput, "\(name) is given twice", advice: "Give it once.")
    }

    /// `help NAME...` with a name that no command has: argument-parser would show the help of what is above it.
    static func refuseUnknownHelp(_ words: [String]) throws(Failure) {
        guard words.first == "help" else { return }
        let names = words.dropFirst().filter { !$0.hasPrefix("-") }
        let (_, rest) = Self.command(of: names)
        guard let name = rest.first, names != ["help"] else { return }
        throw Failure(.refusedInput, "there is no command '\(name)'", advice: "See `countersign --help`.")
    }

    /// The command that the first words name, and the words behind it.
    static func command(of words: [String]) -> (any ParsableCommand.Type, ArraySlice<String>) {
        var command: any ParsableCommand.Type = Countersign.self
        var rest = words[...]
        while let word = rest.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName.utf8.elementsEqual(word.utf8) })
        {
            command = next
            rest = rest.dropFirst()
        }
        return (command, rest)
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
