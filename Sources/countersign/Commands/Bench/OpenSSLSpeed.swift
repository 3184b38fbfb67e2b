import CountersignKeys
import Glibc

/// What `openssl speed` says of the machine's own OpenSSL, which may be another version than the one in this program.
struct OpenSSLSpeed {
    struct Rate {
        let algorithm: String
        /// What `openssl speed` calls it.
        let name: String
        let sign: Double
        let verify: Double
    }

    /// What `openssl version` prints.
    let version: String
    private(set) var rates: [Rate] = []

    /// Nil where there is no such command.
    ///
    /// - Parameter seconds: for each figure; the command takes whole ones.
    init?(_ algorithms: [KeyAlgorithm], seconds: Double, isOver: () -> Bool) {
        guard let text = Self.output(["version"], isOver), let line = text.split(separator: "\n").first else {
            return nil
        }
        version = String(line)
        let time = String(Int(min(60, max(1, seconds.rounded(.up)))))
        var known: [String: (Double, Double)] = [:]
        for algorithm in algorithms where !isOver() {
            let name = Self.name(algorithm)
            // It knows RSA with one padding.
            if known[name] == nil {
                known[name] = Self.output(["speed", "-seconds", time, "-mr", name], isOver).flatMap(Self.figures)
            }
            guard let (sign, verify) = known[name] else { continue }
            rates.append(Rate(algorithm: algorithm.rawValue, name: name, sign: sign, verify: verify))
        }
    }

    private static func name(_ algorithm: KeyAlgorithm) -> String {
        switch algorithm {
        case .es256: "ecdsap256"
        case .es384: "ecdsap384"
        case .edDSA: "ed25519"
        case .ps256, .rs256: "rsa3072"
        }
    }

    /// The last line of its machine-readable output ends with the two rates: `+F4:3:256:59448.45:20496.00`.
    private static func figures(_ text: String) -> (sign: Double, verify: Double)? {
        guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix("+F") }) else { return nil }
        let values = line.split(separator: ":").suffix(2).compactMap { Double($0) }
        guard values.count == 2, values.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        return (values[0], values[1])
    }

    /// What the command prints; nil where it cannot be run or does not end well.
    private static func output(_ words: [String], _ isOver: () -> Bool) -> String? {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let reader = Descriptor(takingOwnershipOf: ends[0])
        guard let child = start(words, output: ends[1]) else {
            close(ends[1])
            return nil
        }
        close(ends[1])
        var text: [UInt8] = []
        while true {
            var wait = pollfd(fd: reader.number, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&wait, 1, 200) > 0, (try? reader.append(to: &text, upTo: 65_536)) != true { break }
            if isOver() {
                kill(child, SIGTERM)
                break
            }
        }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0 ? String(decoding: text, as: UTF8.self) : nil
    }

    private static func start(_ words: [String], output: Int32) -> pid_t? {
        var actions = unsafe posix_spawn_file_actions_t()
        guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // What says where it and its libraries are, and nothing else.
        let environment = ["PATH", "LD_LIBRARY_PATH"].compactMap { name in
            (try? Environment.variable(name)).flatMap { $0 }.map { "\(name)=\($0)" }
        }
        let arguments = unsafe (["openssl"] + words).map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var child: pid_t = 0
        let status = unsafe posix_spawnp(&child, "openssl", &actions, nil, arguments, variables)
        return status == 0 ? child : nil
    }
}
