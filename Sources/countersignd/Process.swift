internal import CProcess
internal import CountersignVerifier
internal import Glibc

/// What holds for the whole process.
enum Process {
    /// Set before anything else runs: no core file, no other process may look inside, files for their owner alone.
    static func harden() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) == -1 {
            // A descriptor that the caller closed would be given to the next file opened, the store perhaps.
            if unsafe open("/dev/null", O_RDWR) != number { _exit(DaemonError.Status.unavailable.rawValue) }
        }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        _ = countersign_forbid_dumps()
        umask(0o077)
        signal(SIGPIPE, SIG_IGN)
        _ = countersign_quiet_dispatch()
        // Swift's own crash report would print registers and what they point to.
        for crash in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT] { signal(crash, SIG_DFL) }
        // As many descriptors as the system allows: each connection is one.
        var files = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return }
        files.rlim_cur = files.rlim_max
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    }

    /// The environment.
    static func environment() -> [String: String] {
        var values: [String: String] = [:]
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let parts = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
            unsafe entry += 1
        }
        return values
    }

    /// Writes a line to standard error. What a file or an argument brought is in it, and a person reads it at a terminal.
    static func say(_ text: String) { put(TextEscape.escaped(text) + "\n", on: 2) }

    /// Writes to standard output.
    ///
    /// - Returns: whether it could be written.
    @discardableResult
    static func put(_ text: String, on descriptor: Int32 = 1) -> Bool {
        let bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) } == bytes.count
    }

    /// Tells systemd, where it wants to know (sd_notify).
    static func notify(_ state: String, _ environment: [String: String]) {
        guard let path = environment["NOTIFY_SOCKET"], (2...107).contains(path.utf8.count) else { return }
        var name = Array(path.utf8)
        // An abstract socket: the first byte is 0.
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let message = Array(state.utf8)
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe message.withUnsafeBytes { bytes in
                    unsafe _ = sendto(descriptor, bytes.baseAddress, bytes.count, 0, address, length)
                }
            }
        }
    }
}
