/// Lines that go to standard output as they come, from any thread: what a stream is printed by.
final class LinesOut: Sendable {
    private struct State {
        var left: Int
        var block: [UInt8] = []
        var failure: Failure?
    }

    private let state: Guarded<State>
    private let blockSize: Int

    /// - Parameters:
    ///   - limit: how many lines at most, at least one.
    ///   - blockSize: how many bytes are collected before they are printed; 0: each line is printed when it comes.
    init(limit: Int, blockSize: Int = 65_536) {
        state = Guarded(State(left: limit))
        self.blockSize = blockSize
    }

    /// Takes a line with its newline.
    ///
    /// - Returns: whether another is wanted.
    func take(_ line: String) -> Bool {
        state.with { state in
            state.block += Array(line.utf8)
            state.left -= 1
            if state.block.count >= blockSize { Self.flush(&state) }
            return state.left > 0 && state.failure == nil
        }
    }

    /// Prints what is left, and says what could not be printed.
    func finish() throws(Failure) {
        try state.with { state throws(Failure) in
            if state.failure == nil { Self.flush(&state) }
            if let failure = state.failure { throw failure }
        }
    }

    private static func flush(_ state: inout State) {
        do throws(Failure) { try Output.send(state.block.span) } catch { state.failure = error }
        state.block.removeAll(keepingCapacity: true)
    }
}
