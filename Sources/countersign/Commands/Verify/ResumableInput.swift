import CountersignKeys
import CountersignVerifier
import Glibc

/// The file that `verify --resume` reads: one that can be read from any place, and told from others.
struct ResumableInput: ~Copyable {
    private let path: String
    private let file: Descriptor
    private let size: Int
    /// The digest of its size, the time of its last change and its beginning.
    let identity: String

    /// So many bytes are its beginning.
    private static let beginning = 65_536

    /// Opens it and looks at it.
    static func open(_ path: String) throws(Failure) -> ResumableInput {
        // Opening a pipe would wait for somebody who writes into it.
        if let status = FileStatus(of: path), !status.isRegular {
            throw Failure(.refusedInput, "--resume needs a regular file, which \(path) is not")
        }
        do throws(SystemError) {
            let file = try Descriptor.reading(path)
            let status = try file.status()
            let identity = try identity(of: file, status)
            return ResumableInput(path: path, file: file, size: status.size, identity: identity)
        } catch {
            throw Failure(.refusedInput, "cannot read \(path): \(error.text)")
        }
    }

    private static func identity(
        of file: borrowing Descriptor, _ status: FileStatus
    ) throws(SystemError) -> String {
        var start: [UInt8] = []
        while try file.append(to: &start, upTo: beginning) {}
        let facts = "\(status.size) \(status.changed.seconds).\(status.changed.nanoseconds)\n"
        var digest = SHA256()
        digest.update(Array(facts.utf8).span)
        digest.update(start.span)
        return Hex.text(of: digest.finalize())
    }

    /// The lines behind a place; nil where that is not between two lines.
    consuming func lines(behind place: VerificationPlace) throws(Failure) -> sending LineReader? {
        do throws(SystemError) {
            var before: [UInt8] = []
            try file.seek(to: max(0, place.offset - 1))
            if place.offset > 0 { _ = try file.append(to: &before, upTo: 1) }
            let isEnd = place.offset == 0 || place.offset == size || before == [UInt8(ascii: "\n")]
            guard isEnd, place.offset <= size else { return nil }
            return LineReader(file, offset: place.offset, line: place.tally.count + 1)
        } catch {
            throw Failure(.refusedInput, "cannot read \(path): \(error.text)")
        }
    }
}
