import CProcess
import CountersignKeys
import Glibc

/// What holds for the whole process, set before anything else runs.
enum ProcessSettings {
    static func apply() {
        fillStandardDescriptors()
        forbidCoreFiles()
        signal(SIGPIPE, SIG_DFL)
        _ = countersign_quiet_dispatch()
        CryptoLibrary.spareParts()
    }

    /// For a command that ends after milliseconds, before it starts a thread.
    static func applyToShortCommand() { countersign_share_heap() }

    /// A descriptor 0, 1 or 2 that the caller closed would be given to the next file opened, a store perhaps.
    /// The stand-in is opened the wrong way round, so that using it fails as the closed one would: a lost result is
    /// never exit 0.
    private static func fillStandardDescriptors() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) == -1 {
            let opened = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
            if opened != number { _exit(ExitStatus.unavailable.rawValue) }
        }
    }

    /// Passwords and unsealed keys pass through this process: no core file, and no other process may look inside.
    private static func forbidCoreFiles() {
        // Swift's own crash report would print registers and what they point to.
        for crash in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT] {
            Signals.install(SIG_DFL, for: crash)
        }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = countersign_forbid_dumps()
    }
}
