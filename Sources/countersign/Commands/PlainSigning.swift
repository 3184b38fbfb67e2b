/// `sign` with the options that scripts give, read without argument-parser; see `PlainWords`.
struct PlainSigning {
    private let run: SigningRun
    private let payload: String
    private let store: String?

    /// Nil for any other words.
    init?(_ words: [String]) {
        guard
            let plain = PlainWords(
                words, of: "sign", options: ["--user", "--reason", "--level", "--password-file", "--store"],
                flags: ["--json"]),
            let user = plain.values["--user"], let reason = plain.values["--reason"], let payload = plain.argument,
            let level = ["0": 0, "1": 1][plain.values["--level"] ?? "1"]
        else { return nil }
        run = SigningRun(
            user: user, reason: reason, level: level,
            password: plain.values["--password-file"].map(PasswordSource.file) ?? .terminal,
            isJSON: !plain.flags.isEmpty)
        self.payload = payload
        store = plain.values["--store"]
    }

    /// Signs as `Sign` does.
    func perform(_ output: Output) throws -> ExitStatus {
        let service = try OpenService(at: try Place.chosen(store: store, profile: nil))
        defer { service.close() }
        return try run.perform(on: service, output) { Array(payload.utf8) }
    }
}
