import ArgumentParser
import CountersignKeys
import Glibc

/// `countersign bench`: what this machine can sign and verify.
struct Bench: Command {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure what this machine signs and verifies, beside its OpenSSL.",
        discussion: """
            Each line is measured in rounds, in turn with the same work by OpenSSL's own calls, one signature at a time, in this \
            process; passwords, with their hash alone. The ratio is the median of the rounds' ratios: it holds where the rates \
            drift. One core is counted by CPU time, several by time on the wall: they need cores that are free. Every \
            signature that is counted is verified.

            Keys, passwords and stores are made for the run, and nothing of them is left. Ctrl-C ends it with what was measured \
            so far.

            EXAMPLES
              countersign bench
              countersign bench --only bulk --algorithms ES256 --jobs 1,2
              countersign bench --only durable --directory /srv
              countersign bench --json --plot rates.svg > rates.json
            """)

    @Option(
        help: ArgumentHelp(
            "What to measure: sign, verify, bulk, step-up, durable, openssl; several with commas. Else all.",
            valueName: "list"),
        completion: .list(BenchWork.allCases.map(\.rawValue)))
    var only: String?

    @Option(
        help: ArgumentHelp(
            "Which algorithms: ES256, EdDSA, ES384, PS256, RS256; several with commas. Else all.", valueName: "list"),
        completion: .list(KeyAlgorithm.allCases.map(\.rawValue)))
    var algorithms: String?

    @Option(help: ArgumentHelp("On how many cores, as in 1,2. Else on one and on all.", valueName: "list"))
    var jobs: String?

    @Option(help: ArgumentHelp("How long each line is measured, in seconds.", valueName: "time"))
    var seconds = 1.0

    @Option(
        help: ArgumentHelp(
            "Where the throw-away store lies: the disk that is measured. Else the system's temporary directory.",
            valueName: "directory"),
        completion: .directory)
    var directory: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(
        help: ArgumentHelp("Draw the rates into a new or old file, as SVG.", valueName: "file"), completion: .file())
    var plot: String?

    func validate() throws {
        _ = try works()
        _ = try parsedAlgorithms()
        _ = try parsedJobs()
        guard seconds.isFinite, (0.01...3600).contains(seconds) else {
            throw ValidationError("--seconds is 0.01 to 3600")
        }
        if plot == "-" { throw ValidationError("--plot takes the name of a file, not '-'") }
    }

    func perform(_ output: Output) throws -> ExitStatus {
        CryptoLibrary.prepare()
        var plan = BenchPlan(jobs: try parsedJobs(), directory: try storeDirectory())
        plan.works = try works()
        plan.algorithms = try parsedAlgorithms()
        plan.seconds = seconds
        let hasStore = !plan.works.isDisjoint(with: [.stepUp, .durable])
        if hasStore { try Self.check(directory: plan.directory) }
        if let plot { try AtomicFile.refuseUnwritable(plot) }
        var run = BenchRun(plan)
        try run.perform()
        let report = BenchReport(
            machine: Machine(), run: run, fileSystem: hasStore ? Machine.fileSystem(of: plan.directory) : nil)
        if json { try output.write(report.json) } else { try output.write(report.text) }
        try output.flush()
        if let plot { try AtomicFile.write(BenchPlot(report).svg.span, to: plot, mode: 0o644) }
        guard let signal = run.signal else { return .done }
        Diagnosis.say("interrupted: what is missing was not measured")
        Signals.die(by: signal)
    }

    private func storeDirectory() throws(Failure) -> String {
        if let directory { return try StoreLocation.path(named: directory) }
        return try Environment.variable("TMPDIR") ?? "/tmp"
    }

    /// What cannot work is said before anything is measured.
    private static func check(directory: String) throws(Failure) {
        guard FileStatus(of: directory)?.isDirectory == true, unsafe access(directory, W_OK | X_OK) == 0 else {
            throw Failure(
                .refusedInput, "\(directory) is no directory in which a store can be made",
                advice: "Name one by --directory.")
        }
    }

    private func works() throws -> Set<BenchWork> {
        guard let only else { return Set(BenchWork.allCases) }
        return Set(
            try Self.names(only).map { name in
                guard let work = BenchWork(rawValue: name) else {
                    let known = BenchWork.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ValidationError("--only knows \(known), not '\(name)'")
                }
                return work
            })
    }

    private func parsedAlgorithms() throws -> [KeyAlgorithm] {
        guard let algorithms else { return KeyAlgorithm.allCases }
        let chosen = try Self.names(algorithms).map { name in
            guard let algorithm = KeyAlgorithm(rawValue: name) else {
                let known = KeyAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--algorithms knows \(known), not '\(name)'")
            }
            return algorithm
        }
        return KeyAlgorithm.allCases.filter(chosen.contains)
    }

    private func parsedJobs() throws -> [Int] {
        guard let jobs else { return Array(Set([1, WorkerThread.processorCount])).sorted() }
        let numbers = try Self.names(jobs).map { text in
            guard let number = Int(text), (1...1024).contains(number) else {
                throw ValidationError("--jobs is 1 to 1024, several with commas, not '\(text)'")
            }
            return number
        }
        return Array(Set(numbers)).sorted()
    }

    private static func names(_ list: String) -> [String] {
        list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
