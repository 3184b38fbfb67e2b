/// Whole lines from a file or a pipe, block by block. Memory stays the same however long the file, or one of its lines, is.
final class LineReader {
    /// Lines to be worked on together.
    struct Block {
        /// At most `blockSize` bytes, all lines complete; the last one of the file may lack its newline.
        var bytes: [UInt8] = []
        /// The number of its first line, from 1.
        var firstLine = 1
        /// Its one line is longer than a block; its rest is skipped.
        var isTooLong = false
    }

    /// Over the longest statement, result or bundle, so a line that fills it cannot be one.
    static let blockSize = 262_144

    private let file: Descriptor
    private var rest: [UInt8]
    private var isAtEnd: Bool
    private var isSkipping = false
    private var line = 1

    /// Reads on in `file`, of which `start` was read already; `isAtEnd` when that was all.
    init(_ file: consuming Descriptor, after start: [UInt8], isAtEnd: Bool) {
        self.file = file
        rest = start
        self.isAtEnd = isAtEnd
    }

    /// The next lines, put into `block`; false when there are no more. A pipe's lines come as they arrive.
    func next(_ block: inout Block) throws(SystemError) -> Bool {
        try skip()
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
        if block.isTooLong {
            isSkipping = true
            line += 1
        } else if end > 0 {
            rest.append(contentsOf: buffer[end...])
            buffer.removeSubrange(end...)
            line += buffer.count { $0 == UInt8(ascii: "\n") }
        }
        block.bytes = buffer
        return !buffer.isEmpty
    }

    /// Passes over what is left of a line that was too long.
    private func skip() throws(SystemError) {
        while isSkipping {
            if let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                rest.removeSubrange(...newline)
                isSkipping = false
            } else {
                rest.removeAll(keepingCapacity: true)
                if isAtEnd { return }
                isAtEnd = try !file.append(to: &rest, upTo: Self.blockSize)
            }
        }
    }

    /// The offset behind the last newline, 0 where there is none at or after `start`.
    private static func end(ofLinesIn bytes: [UInt8], from start: Int) -> Int {
        bytes[start...].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    }
}
