/// The daemon's memory as its requests add up.
struct Memory {
    private let service: Side
    private let atStart: Double
    private var at: [Int: Double] = [:]
    private static let marks = [10_000, 50_000, 100_000, 200_000]

    init(_ service: Side) {
        self.service = service
        atStart = service.process.memory
    }

    /// Looks, where a mark was passed.
    mutating func look() {
        for mark in Self.marks where service.signed >= mark && at[mark] == nil { at[mark] = service.process.memory }
    }

    /// Goes on until the last mark was passed.
    mutating func fill() throws {
        while service.signed < Self.marks.last ?? 0 {
            try service.load(seconds: 2)
            look()
        }
    }

    func report() {
        ServiceRun.title("Memory of the daemon, MiB")
        let marks = Self.marks.compactMap { mark in at[mark].map { "after \(mark): \(Int($0))" } }
        say((["at start: \(Int(atStart))"] + marks).joined(separator: ", "))
    }
}
