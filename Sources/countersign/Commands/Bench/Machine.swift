import ArgumentParser
import CProcess
import CountersignKeys

/// What figures were measured on and with.
struct Machine {
    let version = Countersign.configuration.version
    let library = CryptoLibrary.version
    let processor = Machine.processorName
    let cores = WorkerThread.processorCount
    /// When, milliseconds since 1970.
    let time = WallClock.milliseconds

    /// The processor as Linux names it.
    private static var processorName: String {
        var text: [UInt8] = []
        guard let file = try? Descriptor.reading("/proc/cpuinfo"), (try? file.append(to: &text, upTo: 8192)) == true
        else {
            return "unknown processor"
        }
        for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: "model name".utf8) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { break }
            let name = line[colon...].dropFirst().drop { $0 == UInt8(ascii: " ") }
            return TerminalText.line(String(decoding: name, as: UTF8.self))
        }
        return "unknown processor"
    }

    /// The kind of file system that a path lies on, as statfs(2) knows it.
    static func fileSystem(of path: String) -> String {
        let number = unsafe countersign_file_system(path)
        let names: [Int: String] = [
            0xEF53: "ext4", 0x5846_5342: "xfs", 0x9123_683E: "btrfs", 0x0102_1994: "tmpfs", 0x794C_7630: "overlay",
            0x6969: "nfs", 0x2FC1_2FC1: "zfs", 0xF2F5_2010: "f2fs", 0xFF53_4D42: "cifs", 0x6573_5546: "fuse",
        ]
        return names[number] ?? "0x" + String(UInt(bitPattern: number), radix: 16)
    }
}
