/// What the process says to its caller: a contract with every script, listed in `docs/cli.md` and in `--help`.
enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Done; a valid statement.
    case done = 0
    /// Anything read that is not a valid statement, or a policy that is not met.
    case invalid = 1
    /// Wrong options, refused input, a file that cannot be read, a trust file that cannot be used.
    case refusedInput = 2
    /// Neither valid nor invalid: what it needs to be decided is missing.
    case indeterminate = 3
    /// Authentication failed; blocked, locked and unknown users too.
    case authenticationFailed = 4
    /// The person declined or cancelled.
    case declined = 5
    /// A prompt or a request was left too long.
    case expired = 6
    /// Cooling-off, probation, a device that may not.
    case deviceNotAllowed = 7
    /// This level or authenticator type is not supported.
    case unsupportedMethod = 8
    /// Service or store unreachable, busy, full, or its clock wrong; a result that could not be written. Worth a retry.
    case unavailable = 9

    /// What the table in the help says of it.
    var summary: String {
        switch self {
        case .done: "done, valid"
        case .invalid: "invalid: not a valid statement, or a policy not met"
        case .refusedInput: "wrong options, refused input, unreadable file, unusable trust file"
        case .indeterminate: "indeterminate: unknown or compromised key, expired history"
        case .authenticationFailed: "authentication failed, blocked, locked or unknown user"
        case .declined: "declined or cancelled"
        case .expired: "a prompt was left too long, nobody answered in time"
        case .deviceNotAllowed: "device not allowed"
        case .unsupportedMethod: "level or authenticator type not supported"
        case .unavailable: "service unreachable; store busy, full or damaged; output not written: retry"
        }
    }
}
