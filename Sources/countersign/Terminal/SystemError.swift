import Glibc

/// A system call's own error, before a command says what it means for the person.
struct SystemError: Error {
    let number: Int32

    /// The error of the call that just failed on this thread.
    static var last: SystemError { SystemError(number: errno) }

    /// The system's words for it, such as "No such file or directory".
    var text: String {
        var words = [CChar](repeating: 0, count: 256)
        guard unsafe strerror_r(number, &words, words.count) == 0 else { return "error \(number)" }
        return String(decoding: words.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
