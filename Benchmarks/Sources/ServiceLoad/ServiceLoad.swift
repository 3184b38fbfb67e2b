import Foundation
import ServiceSubjects

/// The service under load.
///
///     ServiceLoad service DAEMON [DIRECTORY [NICENESS]]
///                                              everything, against a countersignd; the store lies in DIRECTORY; the countersign beside
///                                              the daemon verifies in bulk with this niceness, 0 unless given
///     ServiceLoad brief DAEMON [DIRECTORY]     the first table of that, quickly
///     ServiceLoad compare DIRECTORY DAEMON...  builds of the daemon (or hello, recordless) in short turns
///     ServiceLoad idle DIRECTORY               one caller alone: group commit beside plain transactions
///     ServiceLoad engine [TASKS [COUNT]]       the engine alone, in this process
///     ServiceLoad batch [COUNT [ROUNDS]]       batches, in this process, beside the bare signature
///     ServiceLoad hello                        serves "hello JSON"
///     ServiceLoad recordless STORE             serves a store without keeping a record
@main
enum ServiceLoad {
    static func main() async throws {
        signal(SIGPIPE, SIG_IGN)
        let words = CommandLine.arguments.dropFirst()
        let rest = Array(words.dropFirst())
        do {
            switch words.first {
            case "service" where !rest.isEmpty, "brief" where !rest.isEmpty:
                try await ServiceRun(
                    daemon: rest[0], in: rest.dropFirst().first ?? NSTemporaryDirectory(),
                    niceness: rest.dropFirst(2).first.flatMap { Int($0) } ?? 0, isBrief: words.first == "brief"
                ).run()
            case "compare" where rest.count > 1: try await CompareRun.run(Array(rest.dropFirst()), in: rest[0])
            case "idle" where rest.count == 1: try await IdleCommit.run(in: rest[0])
            case "engine":
                try await EngineRun.run(
                    tasks: rest.first.flatMap { Int($0) } ?? 64,
                    count: rest.dropFirst().first.flatMap { Int($0) } ?? 20_000)
            case "batch":
                try await BatchRun.run(
                    count: rest.first.flatMap { Int($0) } ?? 1_000,
                    rounds: rest.dropFirst().first.flatMap { Int($0) } ?? 30)
            case "hello": try await HelloServer.run { say("listening on 127.0.0.1:\($0)") }
            case "recordless" where !rest.isEmpty:
                try await RecordlessServer.run(storeAt: rest[0]) { say("listening on 127.0.0.1:\($0)") }
            default:
                FileHandle.standardError.write(Data("usage: see ServiceLoad.swift\n".utf8))
                exit(2)
            }
        } catch {
            FileHandle.standardError.write(Data("ServiceLoad: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// Writes a line to standard output, at once.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
