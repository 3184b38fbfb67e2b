import Glibc

/// Whole lines from a file or a pipe, block by block. Memory stays the same however long the file, or one of its lines, is.
final class LineReader {
    /// Lines to be worked on together.
    struct Block {
        /// At most `blockSize` bytes, all lines complete; the last one of the file may lack its newline.
        var bytes: [UInt8] = []
        /// Where each line lies, without its newline; ``findLines()`` sets it.
        private(set) var lines: [Range<Int>] = []
        /// The number of its first line, from 1.
        var firstLine = 1
        /// Where the lines end, in bytes from the start of the input.
        var end = 0
        /// Its one line is longer than a block; what did not fit was passed over.
        var isTooLong = false

        /// Finds the lines of the bytes; the last one may lack its newline.
        mutating func findLines() {
            var lines = lines
            self.lines = []
            lines.removeAll(keepingCapacity: true)
            unsafe bytes.span.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                var start = 0
                while start < bytes.count {
                    let newline = unsafe memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
                    let end = unsafe newline.map { unsafe UnsafeRawPointer($0) - base } ?? bytes.count
                    lines.append(start..<end)
                    start = end + 1
                }
            }
            self.lines = lines
        }
    }

    /// Over the longest statement, result or bundle, so a line that fills it cannot be one.
    static let blockSize = 262_144

    /// How many bytes there are from the start of the input; nil where it is no regular file.
    let size: Int?
    private let file: Descriptor
    private var rest: [UInt8]
    private var isAtEnd: Bool
    private var offset: Int
    private var line: Int

    /// Reads on in `file`, of which `start` was read already; `isAtEnd` when that was all.
    init(_ file: consuming Descriptor, after start: [UInt8], isAtEnd: Bool) {
        size = Self.bytesLeft(in: file).map { $0 + start.count }
        self.file = file
        rest = start
        self.isAtEnd = isAtEnd
        offset = 0
        line = 1
    }

    /// Reads on where `file` stands, which is `offset` bytes behind its start, in front of line `line`.
    init(_ file: consuming Descriptor, offset: Int, line: Int) {
        size = Self.bytesLeft(in: file).map { $0 + offset }
        self.file = file
        rest = []
        isAtEnd = false
        self.offset = offset
        self.line = line
    }

    private static func bytesLeft(in file: borrowing Descriptor) -> Int? {
        guard let status = try? file.status(), status.isRegular, let position = file.position else { return nil }
        return max(0, status.size - position)
    }

    /// The next lines, put into `block`; false when there are no more. A pipe's lines come as they arrive.
    func next(_ block: inout Block) throws(SystemError) -> Bool {
        var buffer = block.bytes
        block.bytes = []
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: rest)
        rest.removeAll(keepingCapacity: true)
        var end = Self.end(ofLinesIn: buffer, from: 0)
        while end == 0 && !isAtEnd && buffer.count < Self.blockSize {
            let start = buffer.count
            isAtEnd = try !file.append(to: &buffer, upTo: Self.blockSize)
            end = Self.end(ofLinesIn: buffer, from: start)
        }
        block.firstLine = line
        block.isTooLong = end == 0 && buffer.count >= Self.blockSize
        if end > 0 {
            rest.append(contentsOf: buffer[end...])
            buffer.removeSubrange(end...)
        }
        offset += buffer.count
        if block.isTooLong { try passOver() }
        block.end = offset
        block.bytes = buffer
        block.findLines()
        line += block.lines.count
        return !block.bytes.isEmpty
    }

    /// Passes over what is left of a line that is too long.
    private func passOver() throws(SystemError) {
        while true {
            if let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                offset += newline + 1
                rest.removeSubrange(...newline)
                return
            }
            offset += rest.count
            rest.removeAll(keepingCapacity: true)
            if isAtEnd { return }
            isAtEnd = try !file.append(to: &rest, upTo: Self.blockSize)
        }
    }

    /// The offset behind the last newline, 0 where there is none at or after `start`.
    private static func end(ofLinesIn bytes: [UInt8], from start: Int) -> Int {
        bytes[start...].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    }
}
