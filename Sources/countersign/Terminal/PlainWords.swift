/// The words of a command that scripts start thousands of times, where they are of the plainest form: long options, each once, its
/// value in the next word, flags, and one word more.
///
/// argument-parser finds the options of a command by reflection, which is half the time of such a run, so these words are
/// read without it. Every other form, and every mistake, is argument-parser's.
///
/// Arrays, not sets: the first type of a process that has to be hashable makes the runtime look through all conformances.
struct PlainWords {
    /// The flags that are there.
    private(set) var flags: [String] = []
    /// The word that belongs to no option.
    private(set) var argument: String?

    private var names: [String] = []
    private var values: [String] = []

    /// Nil for anything that is not of this form.
    init?(_ words: [String], of command: String, options: [String], flags known: [String]) {
        guard words.first == command else { return nil }
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            if known.contains(word) {
                guard !flags.contains(word) else { return nil }
                flags.append(word)
            } else if options.contains(word) {
                guard !names.contains(word), let value = rest.popFirst(), Self.isPlain(value) else { return nil }
                names.append(word)
                values.append(value)
            } else {
                guard argument == nil, Self.isPlain(word) else { return nil }
                argument = word
            }
        }
    }

    /// The value of an option, where it is there.
    func value(of name: String) -> String? { names.firstIndex(of: name).map { values[$0] } }

    private static func isPlain(_ word: String) -> Bool { word.utf8.first != UInt8(ascii: "-") }
}
