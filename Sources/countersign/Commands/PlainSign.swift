import CountersignVerifier
import Signing

/// `sign` of one text with the options that scripts give, read without argument-parser; see `PlainWords`.
struct PlainSign {
    private let user: String
    private let reason: String
    private let level: Int
    private let password: PasswordSource
    private let payload: String
    private let store: String?
    private let isJSON: Bool

    /// Nil for any other words.
    init?(_ words: [String]) {
        guard
            let plain = PlainWords(
                words, of: "sign", options: ["--user", "--reason", "--level", "--password-file", "--store"],
                flags: ["--json"]),
            let user = plain.value(of: "--user"), let reason = plain.value(of: "--reason"), let payload = plain.argument
        else { return nil }
        switch plain.value(of: "--level") ?? "1" {
        case "0": level = 0
        case "1": level = 1
        default: return nil
        }
        self.user = user
        self.reason = reason
        password = plain.value(of: "--password-file").map(PasswordSource.file) ?? .terminal
        self.payload = payload
        store = plain.value(of: "--store")
        isJSON = !plain.flags.isEmpty
    }

    /// Signs as `Sign` does.
    func perform(_ output: Output) throws -> ExitStatus {
        ProcessSettings.applyToShortCommand()
        let service = try OpenService(at: try Place.chosen(store: store, profile: nil))
        defer { service.close() }
        guard let result = try signed(on: service).first else { throw Failure(Refusal(.internalFault)) }
        try output.writeLast(
            (isJSON ? String(decoding: result.json, as: UTF8.self) : result.statement) + "\n",
            otherwise:
                "It was signed and is in the store: `countersign history --id \(result.signatureID) --statements`.")
        return .done
    }

    /// When this returns, nothing holds the password any more (K5).
    private func signed(on service: OpenService) throws -> [SignedResult] {
        let name = try OpenService.userName(user)
        try service.check(user: name, level: level)
        let step = try StepUp(service: service, password: level == 0 ? nil : password)
        return try step.sign(
            user: name, payloads: .one(Array(payload.utf8)), reason: Array(reason.utf8), level: level, type: 0,
            audience: nil, showsAll: false, once: nil)
    }
}
