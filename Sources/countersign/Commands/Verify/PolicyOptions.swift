import ArgumentParser
import CountersignJOSE
import CountersignKeys
import CountersignVerifier

/// What is asked of a statement beyond its signature. Without options the policy is the strictest that makes sense
/// without knowing the use.
struct PolicyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The lowest authentication level that will do: 0, 1 or 4. Else 1.", valueName: "level"),
        completion: .list(["0", "1", "4"]))
    var minLevel: Int?

    @Option(help: ArgumentHelp("Who must have issued it.", valueName: "issuer"))
    var issuer: String?

    @Option(help: ArgumentHelp("For whom it must be meant.", valueName: "audience"))
    var audience: String?

    @Flag(help: "Accept it for whomever it is meant.")
    var anyAudience = false

    @Option(help: ArgumentHelp("How many persons must have signed it at least.", valueName: "number"))
    var require: Int?

    @Flag(help: "Accept one of several statements that are needed together.")
    var anyQuorum = false

    @Option(
        help: ArgumentHelp(
            "How the person must have authenticated, such as pwd or idv; several with commas.", valueName: "methods"),
        completion: .list(AuthenticationMethod.allCases.map(\.rawValue)))
    var requireAmr: String?

    @Option(help: ArgumentHelp("For what reason it must have been signed.", valueName: "reason"))
    var reason: String?

    @Option(help: ArgumentHelp("What must have been signed, byte for byte.", valueName: "text"))
    var payload: String?

    @Option(
        help: ArgumentHelp("The document whose digest must have been signed.", valueName: "file"), completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            "How old it may be: seconds, or with a unit as in 90s, 15m, 12h, 30d.", valueName: "time"))
    var maxAge: String?

    @Option(
        help: ArgumentHelp(
            "Which algorithms will do: ES256, EdDSA, ES384, PS256, RS256; several with commas.", valueName: "list"),
        completion: .list(KeyAlgorithm.allCases.map(\.rawValue)))
    var algorithms: String?

    @Flag(help: "Accept identities that only a test provider verified.")
    var allowTestIdv = false

    func validate() throws {
        if let minLevel, AuthLevel(rawValue: minLevel) == nil {
            throw ValidationError("--min-level is 0, 1 or 4, not \(minLevel)")
        }
        if audience != nil && anyAudience { throw ValidationError("--audience and --any-audience exclude each other") }
        if let require, !(1...QuorumRule.maxPersons).contains(require) {
            throw ValidationError("--require is 1 to \(QuorumRule.maxPersons), not \(require)")
        }
        if require != nil && anyQuorum { throw ValidationError("--require and --any-quorum exclude each other") }
        _ = try parsedMethods()
        _ = try parsedAlgorithms()
        _ = try maxAge.map(seconds)
    }

    /// The policy. Reads the document of `--file`.
    func policy() throws -> Policy {
        var policy = Policy()
        if let level = minLevel.flatMap(AuthLevel.init) { policy.level = MinimumLevel(level) }
        if allowTestIdv { policy.testIDV = .allowed }
        if anyAudience { policy.audience = .any }
        if let audience { policy.audience = .exactly(audience) }
        if anyQuorum { policy.quorum = .any }
        if let require { policy.quorum = .atLeast(require) }
        if let issuer { policy.rules.append(ExpectedIssuer(issuer)) }
        if let allowed = try parsedAlgorithms() { policy.rules.append(AllowedAlgorithms(allowed)) }
        if let methods = try parsedMethods() { policy.rules.append(RequiredMethods(methods)) }
        if let reason { policy.rules.append(ExpectedReason(reason)) }
        if let payload { policy.rules.append(ExpectedPayload(Array(payload.utf8))) }
        if let file {
            policy.rules.append(ExpectedFile(sha256: try DocumentDigest.sha256(of: InputSource(file: file))))
        }
        if let maxAge { policy.rules.append(MaximumAge(seconds: try seconds(maxAge))) }
        return policy
    }

    /// The options that are given, and the digest of the document of `--file`: two runs of the same spelling ask the same.
    func spelling() throws -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        if let minLevel { writer.member(name: "min-level", integer: Int64(minLevel)) }
        if let issuer { writer.member(name: "issuer", string: issuer) }
        if let audience { writer.member(name: "audience", string: audience) }
        if anyAudience { writer.member(name: "any-audience", string: "") }
        if let require { writer.member(name: "require", integer: Int64(require)) }
        if anyQuorum { writer.member(name: "any-quorum", string: "") }
        if let requireAmr { writer.member(name: "require-amr", string: requireAmr) }
        if let reason { writer.member(name: "reason", string: reason) }
        if let payload { writer.member(name: "payload", string: payload) }
        if let file {
            writer.member(name: "file", string: Hex.text(of: try DocumentDigest.sha256(of: InputSource(file: file))))
        }
        if let maxAge { writer.member(name: "max-age", string: maxAge) }
        if let algorithms { writer.member(name: "algorithms", string: algorithms) }
        if allowTestIdv { writer.member(name: "allow-test-idv", string: "") }
        writer.endObject()
        return writer.bytes
    }

    private func parsedMethods() throws -> [AuthenticationMethod]? {
        try requireAmr.map(names)?.map { name in
            guard let method = AuthenticationMethod(rawValue: name) else {
                let known = AuthenticationMethod.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--require-amr knows \(known), not '\(name)'")
            }
            return method
        }
    }

    private func parsedAlgorithms() throws -> Set<KeyAlgorithm>? {
        let known = try algorithms.map(names)?.map { name in
            guard let algorithm = KeyAlgorithm(rawValue: name) else {
                let known = KeyAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--algorithms knows \(known), not '\(name)'")
            }
            return algorithm
        }
        return known.map { Set($0) }
    }

    private func names(_ list: String) -> [String] {
        list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private func seconds(_ text: String) throws -> Int64 {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Int64(unit == nil ? text[...] : text.dropLast()), number >= 0,
            case (let seconds, false) = number.multipliedReportingOverflow(by: unit ?? 1)
        else { throw ValidationError("--max-age is a number of seconds, or one with a unit as in 90s, 15m, 12h, 30d") }
        return seconds
    }
}
