/// The words of a command that scripts start thousands of times, where they are of the plainest form: long options, each once, its
/// value in the next word, flags, and one word more.
///
/// argument-parser finds the options of a command by reflection, which is half the time of such a run, so these words are
/// read without it. Every other form, and every mistake, is argument-parser's.
struct PlainWords {
    /// The values of the options, by their names.
    private(set) var values: [String: String] = [:]
    /// The flags that are there.
    private(set) var flags: Set<String> = []
    /// The word that belongs to no option.
    private(set) var argument: String?

    /// Nil for anything that is not of this form.
    init?(_ words: [String], of command: String, options: Set<String>, flags known: Set<String>) {
        guard words.first == command else { return nil }
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            if known.contains(word) {
                guard flags.insert(word).inserted else { return nil }
            } else if options.contains(word) {
                guard values[word] == nil, let value = rest.popFirst(), Self.isPlain(value) else { return nil }
                values[word] = value
            } else {
                guard argument == nil, Self.isPlain(word) else { return nil }
                argument = word
            }
        }
    }

    private static func isPlain(_ word: String) -> Bool { word.utf8.first != UInt8(ascii: "-") }
}
