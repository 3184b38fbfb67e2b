import Glibc
import Synchronization

/// Signals that end or stop a process, held while something must first be put in order: the handler only writes the
/// signal's number into a pipe, which the prompt reads beside the terminal.
///
/// `SA_RESTART` is not set: a `read` or `poll` that a signal interrupts returns.
enum Signals {
    /// Those that a person or the system sends to end the process, and the one that stops it.
    static let ending: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Holds `signals` until `release` is called. Returns the descriptor to poll; -1 when there is none to be had.
    static func hold(_ signals: [Int32]) -> Int32 {
        if pipeReader.load(ordering: .relaxed) < 0 {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else { return -1 }
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
            pipeReader.store(ends[0], ordering: .relaxed)
            pipeWriter.store(ends[1], ordering: .releasing)
        }
        for signal in signals where !isIgnored(signal) { install(handler, for: signal) }
        return pipeReader.load(ordering: .relaxed)
    }

    /// Gives the signals back their default meaning; one that came meanwhile is returned.
    static func release(_ signals: [Int32]) -> Int32? {
        for signal in signals where !isIgnored(signal) { install(SIG_DFL, for: signal) }
        return taken()
    }

    /// The first signal that came since it was last asked, if any.
    static func taken() -> Int32? {
        var byte: UInt8 = 0
        let reader = pipeReader.load(ordering: .relaxed)
        guard reader >= 0, unsafe read(reader, &byte, 1) == 1 else { return nil }
        return Int32(byte)
    }

    /// Ends the process as the signal would have, so that a shell sees what happened.
    static func die(by signal: Int32) -> Never {
        install(SIG_DFL, for: signal)
        var only = sigset_t()
        unsafe sigemptyset(&only)
        unsafe sigaddset(&only, signal)
        unsafe pthread_sigmask(SIG_UNBLOCK, &only, nil)
        raise(signal)
        _exit(128 + signal)
    }

    /// Stops the process as Ctrl-Z does, until it is continued; the signal is held again afterwards.
    static func stop() {
        install(SIG_DFL, for: SIGTSTP)
        raise(SIGTSTP)
        install(handler, for: SIGTSTP)
    }

    /// Sets what a signal does.
    static func install(_ handler: __sighandler_t?, for signal: Int32) {
        var action = sigaction()
        unsafe action.__sigaction_handler.sa_handler = handler
        unsafe sigemptyset(&action.sa_mask)
        unsafe sigaction(signal, &action, nil)
    }

    /// Whether the parent wants the signal to mean nothing, as `nohup` does: then it stays so.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        unsafe sigaction(signal, nil, &action)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static let pipeReader = Atomic<Int32>(-1)
    private static let pipeWriter = Atomic<Int32>(-1)

    /// Runs inside a signal: only calls that are safe there.
    private static let handler: __sighandler_t = { signal in
        let saved = errno
        var byte = UInt8(truncatingIfNeeded: signal)
        _ = unsafe write(pipeWriter.load(ordering: .acquiring), &byte, 1)
        errno = saved
    }
}
