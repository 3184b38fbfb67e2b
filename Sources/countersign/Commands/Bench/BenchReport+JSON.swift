import CountersignJOSE

extension BenchReport {
    /// The version of the shape: it changes when a member changes its meaning or goes, not when one is added.
    private static var version: Int64 { 1 }

    /// The same for programs: one line.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(name: "bench", integer: Self.version)
        writer.member(name: "version", string: machine.version)
        writer.member(name: "library", string: machine.library)
        writer.member(name: "processor", string: machine.processor)
        writer.member(name: "cores", integer: Int64(machine.cores))
        writer.member(name: "time", integer: machine.time)
        writer.member(name: "seconds", number: run.plan.seconds)
        if let fileSystem {
            writer.member(name: "directory", string: run.plan.directory)
            writer.member(name: "fileSystem", string: fileSystem)
        }
        writer.name("rows")
        writer.beginArray()
        for row in run.rows { write(row, to: &writer) }
        writer.endArray()
        if let speed = run.speed { write(speed, to: &writer) }
        if let signal = run.signal { writer.member(name: "signal", integer: Int64(signal)) }
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func write(_ row: BenchRow, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "work", string: row.work.rawValue)
        writer.member(name: "algorithm", string: row.algorithm)
        writer.member(name: "cores", integer: Int64(row.cores))
        writer.member(name: "rate", number: row.rate)
        writer.name("beside")
        writer.beginObject()
        writer.member(name: "name", string: row.reference.kind.rawValue)
        writer.member(name: "cores", integer: Int64(row.reference.cores))
        writer.member(name: "rate", number: row.referenceRate)
        writer.endObject()
        writer.member(name: "ratio", number: row.ratio)
        writer.name("ratios")
        writer.beginArray()
        for ratio in row.ratios { writer.number(ratio) }
        writer.endArray()
        writer.member(name: "clock", string: row.clock.rawValue)
        writer.member(name: "verified", integer: Int64(row.count))
        writer.endObject()
    }

    private func write(_ speed: OpenSSLSpeed, to writer: inout JSONWriter) {
        writer.name("openssl")
        writer.beginObject()
        writer.member(name: "version", string: speed.version)
        writer.name("rates")
        writer.beginArray()
        for rate in speed.rates {
            writer.beginObject()
            writer.member(name: "algorithm", string: rate.algorithm)
            writer.member(name: "name", string: rate.name)
            writer.member(name: "sign", number: rate.sign)
            writer.member(name: "verify", number: rate.verify)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func member(name: StaticString, number: Double) {
        self.name(name)
        self.number(number)
    }

    /// A measured number: what is beyond its sixth digit says nothing.
    fileprivate mutating func number(_ value: Double) {
        var unit = 1.0
        while abs(value) * unit < 100_000, unit < 1e9 { unit *= 10 }
        let rounded = (value * unit).rounded() / unit
        self.value(JSONNumber(rounded).map { .number($0) } ?? .null)
    }
}
