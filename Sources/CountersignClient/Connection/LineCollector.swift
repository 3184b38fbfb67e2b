internal import Signing
internal import Synchronization
internal import Wire

/// Messages that come a line each, in pieces of any length.
final class LineCollector<Message: WireMessage>: Sendable {
    private struct State {
        var rest: [UInt8] = []
        var error: ServiceError?
        var isEnough = false
    }

    private let state = Mutex(State())
    private let each: @Sendable (Message) -> Bool
    private static var maxLine: Int { 1 << 16 }

    /// - Parameter each: is given each message; false: no more is wanted.
    init(_ each: @escaping @Sendable (Message) -> Bool) { self.each = each }

    /// Takes a piece.
    ///
    /// - Returns: whether another is wanted.
    func take(_ piece: [UInt8]) -> Bool {
        state.withLock { state in
            var start = 0
            while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = state.rest + piece[start..<end]
                (state.rest, start) = ([], end + 1)
                do throws(Refusal) {
                    state.isEnough = !each(try Message.parse(line))
                } catch {
                    state.error = .protocolViolation("a line of the service cannot be read: \(error.text)")
                }
                if state.isEnough || state.error != nil { return false }
            }
            state.rest += piece[start...]
            guard state.rest.count <= Self.maxLine else {
                state.error = .protocolViolation("a line of the service is too long")
                return false
            }
            return true
        }
    }

    /// What is to be said at the end: that a line could not be read, or was cut off.
    func finish() throws(ServiceError) {
        let (error, isCut) = state.withLock { ($0.error, !$0.rest.isEmpty && !$0.isEnough) }
        if let error { throw error }
        if isCut { throw .protocolViolation("the last line of the service is cut off") }
    }
}
