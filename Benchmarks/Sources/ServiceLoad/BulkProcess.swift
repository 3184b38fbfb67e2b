import Foundation

/// `countersign verify` of a long file in a process of its own, again and again until it is stopped.
final class BulkProcess: @unchecked Sendable {
    private let command: String
    private let niceness: Int
    private let directory: String
    private let lock = NSLock()
    private var current: Process?
    private var isStopped = false

    /// - Parameters:
    ///   - command: the path of `countersign`.
    ///   - statements: what is verified, one a line, so often that a pass takes seconds.
    ///   - directory: where the file lies while this is there.
    init(_ command: String, niceness: Int, statements: [String], keySet: [UInt8], in directory: String) throws {
        self.command = command
        self.niceness = niceness
        self.directory = "\(directory)/countersign-lines-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: self.directory, withIntermediateDirectories: false)
        let lines = Data((statements.joined(separator: "\n") + "\n").utf8)
        let repeats = max(1, 100_000 / max(1, statements.count))
        try (0..<repeats).reduce(into: Data()) { all, _ in all += lines }
            .write(to: URL(filePath: "\(self.directory)/statements"))
        try Data(keySet).write(to: URL(filePath: "\(self.directory)/keys.json"))
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// Begins to verify.
    ///
    /// - Returns: what ends it, and says how many lines a second were verified until then.
    func begin() -> () throws -> Double {
        lock.withLock { isStopped = false }
        let begin = Load.now
        let work = Beside { [self] in
            var count = 0
            while let verified = try pass() { count += verified }
            return Double(count) / (Double(Load.now - begin) / 1e9)
        }
        return { [self] in
            lock.withLock {
                isStopped = true
                current?.interrupt()
            }
            return try work.get()
        }
    }

    /// Verifies the file once, or until it is interrupted.
    ///
    /// - Returns: how many lines it verified; nil where it is over.
    private func pass() throws -> Int? {
        let process = Process()
        let messages = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "nice", "-n", String(niceness), command, "verify", "--trust", "\(directory)/keys.json", "--min-level", "0",
            "--any-audience", "--lines", "\(directory)/statements",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = messages
        let isStarted = try lock.withLock {
            guard !isStopped else { return false }
            try process.run()
            current = process
            return true
        }
        guard isStarted else { return nil }
        let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // "…: 20,000 valid; 31,000/s", with an "interrupted" behind it where it was.
        guard !text.contains("invalid"), !text.contains("indeterminate"),
            let number = text.components(separatedBy: " valid").first?.split(separator: " ").last,
            let count = Int(number.filter { $0 != "," })
        else {
            // It may end before it has begun.
            if lock.withLock({ isStopped }) { return 0 }
            throw Fault("countersign verify: \(text)")
        }
        return count
    }
}
