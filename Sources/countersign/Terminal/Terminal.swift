import CountersignKeys
import Glibc

/// The person's own terminal, whatever the standard streams are redirected to.
final class Terminal {
    private let device: Descriptor

    /// nil where the process has no terminal.
    init?() {
        let number = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        device = Descriptor(takingOwnershipOf: number)
    }

    /// Shows text as it is: the caller has escaped it.
    func show(_ text: String) throws(Failure) {
        do throws(SystemError) {
            try device.writeAll(Array(text.utf8).span)
        } catch {
            throw Failure(.declined, "the terminal cannot be written to: \(error.text)")
        }
    }

    /// What came of a question.
    enum Answer {
        case secret(SecretBytes)
        /// More than was to be.
        case tooLong
        /// Ctrl-D, or the terminal is gone.
        case cancelled
        case expired
        /// The terminal is as it was; the caller puts its affairs in order and dies by it.
        case signal(Int32)

        /// Whether a line was typed to its end.
        fileprivate var isTyped: Bool {
            switch self {
            case .secret, .tooLong: true
            case .cancelled, .expired, .signal: false
            }
        }
    }

    /// Asks for a secret, which is not shown while it is typed.
    ///
    /// The terminal gets its echo back however this ends: by an answer, by Ctrl-C and its like, while it is stopped by
    /// Ctrl-Z. Until then the signals are held, so the process does not die half-way.
    ///
    /// - Parameters:
    ///   - prompt: Shown before the answer; the caller has escaped it.
    ///   - limit: The most bytes an answer may have.
    ///   - deadline: Milliseconds since 1970 after which no answer is waited for.
    func askSecret(_ prompt: String, limit: Int, deadline: Int64?) throws(Failure) -> Answer {
        try ask(prompt, isShown: false, limit: limit, deadline: deadline)
    }

    /// Asks for a line that is shown while it is typed, such as a code that others may see.
    ///
    /// - Parameter deadline: Milliseconds since 1970 after which no answer is waited for.
    func askLine(_ prompt: String, limit: Int, deadline: Int64? = nil) throws(Failure) -> Answer {
        try ask(prompt, isShown: true, limit: limit, deadline: deadline)
    }

    private func ask(_ prompt: String, isShown: Bool, limit: Int, deadline: Int64?) throws(Failure) -> Answer {
        let held = Signals.ending + [SIGTSTP]
        let signals = Signals.hold(held)
        var answer: Answer
        do throws(Failure) {
            answer = try ask(prompt, isShown: isShown, limit: limit, deadline: deadline, signals: signals)
        } catch {
            if let signal = Signals.release(held), signal != SIGTSTP { return .signal(signal) }
            throw error
        }
        if let signal = Signals.release(held), signal != SIGTSTP { answer = .signal(signal) }
        return answer
    }

    private func ask(
        _ prompt: String, isShown: Bool, limit: Int, deadline: Int64?, signals: Int32
    ) throws(Failure) -> Answer {
        while true {
            let echo = try prepareInput(isShown: isShown)
            try show(prompt)
            let event = wait(for: signals, deadline: deadline)
            let answer: Answer? =
                switch event {
                case .input: readLine(limit: limit)
                case .expired: .expired
                case .signal(SIGTSTP): nil
                case .signal(let number): .signal(number)
                }
            restoreInput(echo)
            // Of a line that is shown, its end is shown too.
            if !isShown || answer?.isTyped != true { try show("\n") }
            if let answer { return answer }
            Signals.stop()
        }
    }

    private enum Event {
        case input, expired, signal(Int32)
    }

    private func wait(for signals: Int32, deadline: Int64?) -> Event {
        while true {
            if let signal = Signals.taken() { return .signal(signal) }
            var timeout: Int32 = -1
            if let deadline {
                let left = deadline - WallClock.milliseconds
                if left <= 0 { return .expired }
                // In short steps, so that a clock that is set meanwhile counts.
                timeout = Int32(min(left, 1000))
            }
            var polled = [
                pollfd(fd: device.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&polled, 2, timeout) > 0 else { continue }
            if polled[1].revents == 0 && polled[0].revents != 0 { return .input }
        }
    }

    /// The terminal gives whole lines; what it gives goes straight into memory that is wiped.
    private func readLine(limit: Int) -> Answer {
        do {
            guard let line = try SecretLine.read(from: device, limit: limit) else { return .tooLong }
            return line.isEnd ? .cancelled : .secret(line.bytes)
        } catch {
            return .cancelled
        }
    }

    /// Echo on or off, and what was typed ahead is forgotten. Returns the settings to go back to.
    private func prepareInput(isShown: Bool) throws(Failure) -> termios {
        var settings = termios()
        guard unsafe tcgetattr(device.number, &settings) == 0 else { throw lost() }
        let before = settings
        settings.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
        settings.c_lflag |= tcflag_t(isShown ? ICANON | ISIG | ECHO | ECHOE | ECHOK : ICANON | ISIG)
        guard unsafe tcsetattr(device.number, TCSAFLUSH, &settings) == 0 else { throw lost() }
        return before
    }

    private func restoreInput(_ settings: termios) {
        var settings = settings
        unsafe tcsetattr(device.number, TCSAFLUSH, &settings)
    }

    private func lost() -> Failure {
        Failure(
            .refusedInput, "the terminal cannot hide a password: \(SystemError.last.text)",
            advice: "Give the password by --password-file or --password-stdin.")
    }
}
