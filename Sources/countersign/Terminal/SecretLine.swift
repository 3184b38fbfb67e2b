import CountersignKeys
import Glibc

/// The first line of a file or terminal, read into memory that is wiped and nowhere else.
struct SecretLine {
    /// The line without its newline.
    let bytes: SecretBytes
    /// There was nothing, not even a newline.
    let isEnd: Bool

    /// Reads the first line; nil when it has more than `limit` bytes. What follows the line may be read too and is lost.
    static func read(from file: borrowing Descriptor, limit: Int) throws(SystemError) -> SecretLine? {
        var isEnd = true
        var problem: SystemError?
        let bytes = SecretBytes(capacity: limit + 1) { output in
            unsafe output.withUnsafeMutableBufferPointer { space, count in
                while count < space.count {
                    let rest = unsafe UnsafeMutableBufferPointer(rebasing: space[count...])
                    let new: Int
                    do throws(SystemError) {
                        new = try unsafe file.read(into: UnsafeMutableRawBufferPointer(rest))
                    } catch {
                        problem = error
                        return
                    }
                    if new == 0 { return }
                    isEnd = false
                    if let newline = unsafe rest[..<new].firstIndex(of: UInt8(ascii: "\n")) {
                        count += newline
                        return
                    }
                    count += new
                }
            }
        }
        if let problem { throw problem }
        return bytes.count <= limit ? SecretLine(bytes: bytes, isEnd: isEnd) : nil
    }
}
