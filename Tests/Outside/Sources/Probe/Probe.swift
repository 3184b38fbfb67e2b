import CountersignVerifier
import Glibc

/// Verifies one statement: `Probe TRUST STATEMENT`, both as text. Exit 0 valid, 1 invalid, 3 indeterminate.
@main
enum Probe {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { exit(2) }
        let verifier = StatementVerifier(trust: try TrustStore(Array(arguments[1].utf8)))
        switch verifier.verify(Array(arguments[2].utf8), at: Int64(time(nil))) {
        case .valid(let statement): print(statement.claims.payload)
        case .invalid(let reason):
            print(reason.code)
            exit(1)
        case .indeterminate(let reason):
            print(reason.code)
            exit(3)
        }
    }
}
