/// One line on a terminal's standard error that is written over again and again. Silent where standard error is no terminal.
struct StatusLine {
    private let isShown: Bool
    private var isOnScreen = false

    /// - Parameter isShown: false where the result scrolls over the same terminal.
    init(isShown: Bool = true) { self.isShown = isShown && Diagnosis.isTerminal }

    /// Writes a text over the one before it.
    mutating func show(_ text: String) {
        guard isShown else { return }
        isOnScreen = true
        Diagnosis.write("\r\u{1B}[K\(text)")
    }

    /// Takes the line away again.
    mutating func clear() {
        guard isOnScreen else { return }
        isOnScreen = false
        Diagnosis.write("\r\u{1B}[K")
    }
}
