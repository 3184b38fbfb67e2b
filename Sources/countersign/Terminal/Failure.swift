import Signing

/// Why a command ends without its result: the exit status, what happened, and what to do next.
///
/// A text never holds a secret. It may hold what a person typed or a file contained: it is escaped when it is shown.
struct Failure: Error {
    let status: ExitStatus
    let message: String
    /// The next step, a whole sentence; nil where there is none to give.
    let advice: String?
    /// The "no" that it comes from, where it is one that this program knows.
    private(set) var refusal: Refusal?

    init(_ status: ExitStatus, _ message: String, advice: String? = nil) {
        self.status = status
        self.message = message
        self.advice = advice
    }

    /// The same, with the refusal that it comes from.
    init(_ status: ExitStatus, _ message: String, advice: String?, from refusal: Refusal?) {
        self.init(status, message, advice: advice)
        self.refusal = refusal
    }
}
