import Foundation
import Glibc

/// Another process at the same file: the `sqlite3` command.
enum Peer {
    static let path: String? = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Runs SQL and returns what it prints, without the last newline.
    @discardableResult
    static func run(_ sql: String, on store: TemporaryStore) throws -> String {
        let peer = try Session(on: store)
        try peer.send(sql)
        return try peer.finish()
    }

    /// One that stays at work until it is finished.
    final class Session {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()

        init(on store: TemporaryStore) throws {
            guard let path else { throw CocoaError(.fileNoSuchFile) }
            process.executableURL = URL(filePath: path)
            process.arguments = ["-batch", store.path]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
        }

        /// Sends SQL. Nothing tells when it is done but a question: see `ask`.
        func send(_ sql: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((sql + ";\n").utf8)) }

        /// Sends SQL and waits until all that was sent is done. What SQL prints may stay in the peer's buffer, so another
        /// process of its own has to say so.
        func ask(_ sql: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data((sql + ";\n.system echo done\n").utf8))
            var answer = Data()
            while !answer.contains(Data("done\n".utf8)), case let more = output.fileHandleForReading.availableData,
                !more.isEmpty
            {
                answer += more
            }
        }

        /// Ends it, and returns what it printed since.
        func finish() throws -> String {
            try input.fileHandleForWriting.close()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
        }

        /// Ends it as a crash would.
        func kill() {
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        deinit { if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) } }
    }
}
