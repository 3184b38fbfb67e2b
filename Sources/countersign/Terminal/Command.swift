import ArgumentParser

/// A subcommand that does something. The result goes to `output`, which is flushed, and checked, after it.
protocol Command: ParsableCommand {
    func perform(_ output: Output) throws -> ExitStatus
}
