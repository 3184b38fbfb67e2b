import Wire

extension Output {
    /// A message as JSON, on a line of its own.
    func writeLine(_ message: some WireMessage) throws(Failure) { try write(message.json + [UInt8(ascii: "\n")]) }
}
