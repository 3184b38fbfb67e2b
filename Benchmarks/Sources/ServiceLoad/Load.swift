import CEpoll
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
    /// Requests a second, whether or not the answers keep up: when each is due is known before the first is sent, and no late answer moves
    /// or drops one. Nil: each connection sends when it has its answer.
    var rate: Double?
    /// How long requests are sent, or due.
    let seconds: Double

    /// What came of it.
    struct Figures {
        var answers = 0
        var refused = 0
        var seconds = 0.0
        /// CPU time that the load itself took, in seconds: it is taken from the server.
        var cpu = 0.0
        /// From the moment when the request was due to its whole answer, in microseconds.
        var latency = Histogram<UInt64>(highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: .three)

        var rate: Double { Double(answers) / seconds }
    }

    /// Runs it. An answer that is not 2xx counts as refused; where that is not expected, `look` throws.
    func run(_ requests: Requests, _ look: Look) throws -> Figures {
        let all = try (0..<connections).map { _ in try Connection(port: port) }
        var idle = all
        let ready = try Ready(all.map(\.descriptor))
        var figures = Figures()
        let cpu = Self.cpu
        var sent = 0
        var isOver = false
        let begin = Self.now
        let end = begin + UInt64(seconds * 1e9)
        while true {
            let now = Self.now
            // What is due is sent, however late it has become: to leave it out would leave out the worst.
            if rate == nil, now >= end { isOver = true }
            var next: UInt64?
            while !isOver, let connection = idle.first {
                let due = rate.map { begin + UInt64(Double(sent) / $0 * 1e9) } ?? now
                if due >= end {
                    isOver = true
                    break
                }
                guard due <= now else {
                    next = due
                    break
                }
                guard let request = try requests(sent) else {
                    isOver = true
                    break
                }
                // The one that rested longest: the server closes what rests too long.
                idle.removeFirst()
                try connection.send(request, due: due, tag: sent)
                sent += 1
            }
            if idle.count == all.count, isOver { break }
            for index in ready.wait(nanoseconds: next.map { $0 - now } ?? 1_000_000_000) {
                let connection = all[index]
                guard let answer = try connection.receive() else { continue }
                figures.latency.record(max(1, (Self.now - connection.due) / 1_000))
                figures.answers += 1
                if !(200..<300).contains(answer.status) { figures.refused += 1 }
                try look(connection.tag, answer)
                idle.append(connection)
            }
        }
        figures.seconds = Double(Self.now - begin) / 1e9
        figures.cpu = Self.cpu - cpu
        return figures
    }

    /// CPU time of this process so far, in seconds.
    static var cpu: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }

    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// Which of some sockets have something to read.
private final class Ready {
    private let descriptor = epoll_create1(0)
    private var events: [epoll_event]

    init(_ sockets: [Int32]) throws {
        events = [epoll_event](repeating: epoll_event(), count: sockets.count)
        for (index, socket) in sockets.enumerated() {
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(index)))
            guard epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0 else { throw Fault("no epoll") }
        }
    }

    deinit { close(descriptor) }

    /// Waits until there is one, or the time is over: exactly, since the next request is due then.
    ///
    /// - Returns: their places in the list.
    func wait(nanoseconds: UInt64) -> [Int] {
        var limit = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        let count = epoll_pwait2(descriptor, &events, Int32(events.count), &limit, nil)
        return (0..<max(0, Int(count))).map { Int(events[$0].data.u64) }
    }
}
