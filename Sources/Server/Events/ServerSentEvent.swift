/// One event of a stream (WHATWG HTML, server-sent events).
struct ServerSentEvent: Sendable {
    /// By which whoever comes again says what they were told; nil: they begin anew.
    let id: Int64?
    /// What is told; nil: only up to where.
    let message: Message?

    /// A name, and JSON without a line break, as all of ours is.
    struct Message: Sendable {
        let name: StaticString
        let data: [UInt8]
    }

    /// An event that tells something.
    init(id: Int64? = nil, _ name: StaticString, _ data: [UInt8]) {
        self.id = id
        message = Message(name: name, data: data)
    }

    /// Only up to where somebody was told.
    init(id: Int64) {
        self.id = id
        message = nil
    }

    /// Appends its text.
    func write(to text: inout [UInt8]) {
        if let id { text += "id: \(id)\n".utf8 }
        if let message {
            text += "event: \(message.name)\ndata: ".utf8
            text += message.data
            text.append(0x0A)
        }
        text.append(0x0A)
    }
}
