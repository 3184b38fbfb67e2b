import Glibc
import Histogram

/// A load on one server: many connections, one request at a time on each, from one thread.
struct Load {
    /// What to send next; nil: nothing more. It is given the number of the request.
    typealias Requests = (_ number: Int) throws -> [UInt8]?
    /// Looks at an answer, with the number of its request.
    typealias Look = (_ number: Int, _ answer: Connection.Answer) throws -> Void

    let port: Int
    var connections = 64
    /// Requests a second, whether or not the answers keep up; nil: each connection sends when it has its answer.
    var rate: Double?
    /// How long requests are sent.
    let seconds: Double

    /// What came of it.
    struct Figures {
        var answers = 0
        var refused = 0
        var seconds = 0.0
        /// From the moment when the request was due to its whole answer, in microseconds.
        var latency = Histogram<UInt64>(highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: .three)

        var rate: Double { Double(answers) / seconds }
    }

    /// Runs it. An answer that is not 2xx counts as refused; where that is not expected, `look` throws.
    func run(_ requests: Requests, _ look: Look) throws -> Figures {
        let all = try (0..<connections).map { _ in try Connection(port: port) }
        var idle = all
        var waiting = all.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        var figures = Figures()
        var sent = 0
        var isOver = false
        let begin = Self.now
        let end = begin + UInt64(seconds * 1e9)
        while true {
            let now = Self.now
            if now >= end { isOver = true }
            while !isOver, let connection = idle.first {
                let due = rate.map { begin + UInt64(Double(sent) / $0 * 1e9) } ?? now
                guard due <= now else { break }
                guard let request = try requests(sent) else {
                    isOver = true
                    break
                }
                // The one that rested longest: the server closes what rests too long.
                idle.removeFirst()
                try connection.send(request, due: due, tag: sent)
                sent += 1
            }
            if idle.count == all.count {
                if isOver { break }
                // The next request is due soon, and nothing is on its way.
                usleep(50)
                continue
            }
            poll(&waiting, nfds_t(waiting.count), rate == nil ? 1_000 : 1)
            for (index, connection) in all.enumerated() where waiting[index].revents != 0 {
                guard let answer = try connection.receive() else { continue }
                figures.latency.record(max(1, (Self.now - connection.due) / 1_000))
                figures.answers += 1
                if !(200..<300).contains(answer.status) { figures.refused += 1 }
                try look(connection.tag, answer)
                idle.append(connection)
            }
        }
        figures.seconds = Double(Self.now - begin) / 1e9
        return figures
    }

    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
