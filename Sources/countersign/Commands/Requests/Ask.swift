import ArgumentParser
import CountersignClient
import CountersignVerifier
import Signing
import Wire

/// `countersign ask`: asks somebody who is not at this keyboard to sign, and waits for the statement.
struct Ask: Command {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        _superCommandName: "countersign",
        abstract: "Ask a person, or several, to sign a text, and wait for the statement.",
        discussion: """
            With the profile of a relying service (`countersign login --client`). The person sees who asks, what and why, on \
            their devices (`countersign inbox`), and signs or declines. Standard error says the match code, which whoever \
            approves needs: tell it to them, so that nobody approves what they did not see begin.

            Several persons are named with commas between them, or by a group that the operator made (`countersign groups`); \
            their statements come as one bundle. Standard output carries the statement or the bundle alone.

            Ctrl-C takes the request back: nothing is signed then. Where the command was killed, --resume goes on waiting.

            EXAMPLES
              countersign ask alice --reason 'Release 4.1' 'Deploy commit 3f9c1ab' > release.jws
              countersign ask --group admins --required 2 --reason 'Release 4.1' --in text > decision.json
              countersign ask alice --reason 'Release 4.1' --no-wait --in text
              countersign ask --resume 5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70

            EXIT CODES
              0  signed
              2  refused input: limits, characters, no such group
              4  a profile that may not do this
              5  declined, or cancelled
              6  nobody answered in time
              7  nobody was asked: each of the person's devices is on probation until after the end
              8  level or type not supported
              9  service unreachable; too much waits for this person already
            """)

    @OptionGroup var profile: ProfileOption
    @Argument(help: ArgumentHelp("Who signs; several with commas between them. Not with --group.", valueName: "user"))
    var user: String?
    @Argument(help: ArgumentHelp("What is signed. One that begins with - goes after --.", valueName: "payload"))
    var payload: String?
    @Option(help: ArgumentHelp("Ask the members of this group.", valueName: "name")) var group: String?
    @Option(help: ArgumentHelp("So many of several must sign; else all.", valueName: "number")) var required: Int?
    @Option(help: ArgumentHelp("On whose behalf you ask; that person is not asked.", valueName: "user"))
    var requester: String?
    @Option(name: .shortAndLong, help: ArgumentHelp("Why: 1 to 100 characters.", valueName: "text")) var reason: String?
    @OptionGroup var text: PayloadOptions
    @OptionGroup var authentication: LevelOptions
    @Option(help: ArgumentHelp("How long it may be answered: 10 to 86400 seconds; else 300.", valueName: "seconds"))
    var validFor: Int64?
    @Option(
        help: ArgumentHelp(
            "Whether whoever approves must bring the match code, is shown it, or there is none; else as the service says.",
            valueName: "word"),
        completion: .list(NewRequest.MatchCode.allCases.map(\.rawValue)))
    var matchCode: String?
    @Option(help: ArgumentHelp("Wait for the answer to this request, which was asked before.", valueName: "id"))
    var resume: String?
    @Flag(inversion: .prefixedNo, help: "Wait for the answer. Without waiting, the request's id is printed.")
    var wait = true
    @Option(
        help: ArgumentHelp("A name of this one request: the same command again asks nobody twice.", valueName: "key"))
    var idempotencyKey: String?
    @Flag(help: "Print JSON: the result of one person; of several, the bundle is JSON.") var json = false

    /// How long taking a request back may hold up a process that was told to end, in milliseconds.
    private static let patience: Int64 = 3000

    /// The persons and the payload among the arguments: with a group the only one is the payload.
    private var arguments: (persons: String?, payload: String?) { group == nil ? (user, payload) : (nil, user) }

    func validate() throws {
        if let resume {
            try RecordOptions.checkID(resume, of: "--resume")
            guard user == nil, group == nil, reason == nil, !text.isGiven else {
                throw ValidationError("--resume goes on with a request that was made: it takes nothing else of one")
            }
            guard wait else { throw ValidationError("--resume waits") }
            return
        }
        if group == nil && user == nil { throw ValidationError("name who is asked, or a group by --group") }
        if group != nil && payload != nil { throw ValidationError("with --group, nobody else is named") }
        if let matchCode, NewRequest.MatchCode(rawValue: matchCode) == nil {
            throw ValidationError("--match-code is required, offered or none, not '\(matchCode)'")
        }
        guard reason != nil else { throw ValidationError("say why by --reason") }
        if required != nil, group == nil, user?.contains(",") != true {
            throw ValidationError("--required is for several")
        }
        try text.check(argument: arguments.payload)
    }

    func perform(_ output: Output) throws -> ExitStatus {
        let account = try profile.account()
        if let resume { return try follow(resume, account, output) }
        let (new, key) = (try request(), idempotencyKey)
        let asked = try Self.ask(account, new, key)
        if let code = asked.matchCode { Diagnosis.say("match code \(code)") }
        guard wait else {
            let line = json ? String(decoding: asked.message.json, as: UTF8.self) : TerminalText.line(asked.id)
            try output.writeLast(
                line + "\n", otherwise: "It was asked: `countersign ask --resume \(TerminalText.line(asked.id))`.")
            return .done
        }
        Diagnosis.say("waiting for the answer to request \(asked.id)")
        return try follow(asked.id, account, output)
    }

    private static func ask(_ account: Account, _ new: NewRequest, _ key: String?) throws(Failure) -> AskedRequest {
        do throws(Failure) {
            return try Failure.waiting { try await account.ask(new, key: key) }
        } catch {
            guard error.status == .deviceNotAllowed else { throw error }
            throw Failure(
                error.status, error.message,
                advice: "Nobody was asked: that is so of each of their devices. Ask later, or for longer: --valid-for.",
                from: error.refusal)
        }
    }

    /// What is asked, judged here by the rules that the service has too.
    private func request() throws -> NewRequest {
        let (names, argument) = arguments
        try authentication.check()
        let words = try RemoteRequest(
            payloads: .one(text.bytes(argument: argument)), reason: Array((reason ?? "").utf8),
            level: authentication.level,
            type: authentication.type,
            audience: nil)
        let persons: NewRequest.Persons
        if let group {
            persons = .group(group, required: required)
        } else {
            let users = try (names ?? "").split(separator: ",", omittingEmptySubsequences: false).map {
                try OpenService.userName(String($0)).text
            }
            persons = users.count == 1 ? .person(users[0]) : .several(users, required: required)
        }
        var new = NewRequest(of: persons, payload: words.payload, reason: words.reason)
        new.requester = try requester.map { try OpenService.userName($0).text }
        (new.level, new.authenticatorType, new.expiresIn) = (authentication.level, authentication.type, validFor)
        new.matchCode = matchCode.flatMap(NewRequest.MatchCode.init(rawValue:))
        return new
    }

    /// Waits for the answer, and prints it. Whoever ends the process takes the request back.
    private func follow(_ id: String, _ account: Account, _ output: Output) throws -> ExitStatus {
        let outcome: RequestOutcome
        do {
            switch try waitUnlessSignalled({ try await account.outcome(of: id, trouble: Diagnosis.askingAgain) }) {
            // What is signed already is handed out all the same.
            case .ended(.done(let record), _): outcome = .done(record)
            case .interrupted(let signal), .ended(_, let signal?):
                waitFor(atMost: Self.patience) { try await account.cancelRequest(id) }
                Signals.die(by: signal)
            case .ended(let other, nil): outcome = other
            }
        } catch {
            let failure = Failure(explaining: error)
            guard failure.status == .unavailable else { throw failure }
            throw Failure(
                failure.status, failure.message,
                advice: "The request goes on. Wait for it again: `countersign ask --resume \(id)`.")
        }
        switch outcome {
        case .done(let record): try write(record, output)
        case .declined: throw Failure(.declined, "it was declined or cancelled; nothing is signed for it")
        case .expired: throw Failure(.expired, "nobody answered in time")
        case .pending: throw Failure(.unavailable, "it was not answered yet")
        }
        return .done
    }

    private func write(_ record: RequestRecord, _ output: Output) throws(Failure) {
        var text = record.bundle ?? ""
        if let result = record.result { text = json ? String(decoding: result.json, as: UTF8.self) : result.statement }
        try output.writeLast(text + "\n", otherwise: "It was signed: `countersign ask --resume \(record.id)`.")
    }
}
