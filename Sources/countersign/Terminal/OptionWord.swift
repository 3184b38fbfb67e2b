/// A word of the command line in the place of an option.
enum OptionWord {
    /// The options that it names, with their dashes and without a value: none, or one, or several short ones (`-ur`).
    static func names(_ word: String) -> [String] {
        guard word.hasPrefix("-"), word != "-" else { return [] }
        let name = String(word.prefix { $0 != "=" })
        if name.hasPrefix("--") || name.count == 2 || name != word { return [name] }
        let letters = name.dropFirst()
        return letters.allSatisfy(\.isLetter) ? letters.map { "-\($0)" } : [name]
    }

    /// Whether an option may be there twice. Cheap, and right only when it says no.
    static func mayRepeat(_ words: ArraySlice<String>) -> Bool {
        let names = words.prefix { $0 != "--" }.flatMap(names)
        guard names.contains(where: { !$0.hasPrefix("--") }) else { return Set(names).count < names.count }
        // A short name is the first letter of its long one.
        let letters = names.map { $0.first { $0 != "-" } }
        return Set(letters).count < letters.count
    }
}
