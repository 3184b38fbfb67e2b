internal import CountersignJOSE
package import Logging
internal import Signing

/// Writes each event as one line of JSON.
package struct JSONLogHandler: LogHandler {
    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let sink: LogSink
    private let now: @Sendable () -> Int64

    /// A handler.
    ///
    /// - Parameter now: milliseconds since 1970.
    package init(level: Logger.Level, sink: LogSink, now: @escaping @Sendable () -> Int64) {
        logLevel = level
        self.sink = sink
        self.now = now
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var writer = JSONWriter(capacity: 256)
        writer.beginObject()
        writer.member(name: "time", string: UTCTime.text(now()))
        writer.member(name: "level", string: event.level.rawValue)
        writer.member(name: "message", string: event.message.description)
        // An error's own words may hold values: its type says enough.
        if let error = event.error { writer.member(name: "error", string: "\(type(of: error))") }
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        for (name, value) in all.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            writer.name(text: name)
            writer.write(value)
        }
        writer.endObject()
        writer.bytes.append(0x0A)
        sink.write(writer.bytes)
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ value: Logger.MetadataValue) {
        switch value {
        case .string(let text): string(text)
        case .stringConvertible(let value):
            if let number = value as? Int { integer(Int64(number)) } else { string(value.description) }
        case .array(let values):
            beginArray()
            for value in values { write(value) }
            endArray()
        case .dictionary(let values):
            beginObject()
            for (key, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                name(text: key)
                write(value)
            }
            endObject()
        }
    }
}
