import CountersignClient
import Glibc

/// Standard error: what happened, what to do next. Never the result.
enum Diagnosis {
    /// One line `countersign: …`, hostile characters escaped.
    static func say(_ message: String) { write("countersign: \(TerminalText.line(message))\n") }

    static func warn(_ message: String) { say("warning: \(message)") }

    static func report(_ failure: Failure) {
        say(failure.message)
        if let advice = failure.advice { write("  \(TerminalText.line(advice))\n") }
    }

    /// A service is away, and is waited for.
    static func askingAgain(_ error: ServiceError) { say("\(error); asking again") }

    /// Text as it is: the caller has escaped it. A diagnosis that cannot be written changes no result.
    static func write(_ text: String) {
        try? Descriptor(borrowing: STDERR_FILENO).writeAll(Array(text.utf8).span)
    }

    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}
