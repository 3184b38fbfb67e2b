import Foundation

/// A server in a process of its own.
final class ChildProcess {
    let port: Int
    private let process = Process()

    /// Starts it, and waits until it says where it listens: in words that end with a colon and the port.
    init(_ executable: String, _ arguments: [String]) throws {
        let pipe = Pipe()
        process.executableURL = URL(filePath: executable)
        process.arguments = arguments
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        var said = ""
        while true {
            let data = pipe.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Fault("\(executable) ended: \(said)") }
            said += String(decoding: data, as: UTF8.self)
            guard let range = said.range(of: "listening on "), let end = said[range.upperBound...].firstIndex(of: "\n"),
                let port = Int(said[..<end].split(separator: ":").last ?? "")
            else { continue }
            self.port = port
            break
        }
        // What it says later is nobody's, but must not fill the pipe.
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
        }
    }

    deinit { stop() }

    /// Ends it, gracefully.
    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// CPU time so far, in seconds.
    var cpu: Double {
        let fields = read("stat").split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Memory that it has now, in MiB.
    var memory: Double {
        let line = read("status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
    }

    private func read(_ name: String) -> String {
        let data = FileManager.default.contents(atPath: "/proc/\(process.processIdentifier)/\(name)") ?? Data()
        return String(decoding: data, as: UTF8.self)
    }
}
