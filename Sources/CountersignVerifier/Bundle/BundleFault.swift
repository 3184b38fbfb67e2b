/// Why a bundle does not hold as a whole. `docs/bundle.md` has the table.
public enum BundleFault: Error, Sendable {
    // Form
    /// More than 245,760 bytes.
    case tooLong
    /// Not the canonical text of the four members.
    case malformed
    /// Another version than 1.
    case version
    /// No statement, or more than 64.
    case statements
    /// Evidence, of which this version has none.
    case evidence
    /// Keys that are no canonical JWKS of public keys, and no key history.
    case keys

    // One by one
    /// A statement that is invalid; places count from 1.
    case statement(Int, InvalidReason)

    // Together
    /// Two statements of one person.
    case sameSigner(Int, Int)
    /// Two statements with one `jti`.
    case sameID(Int, Int)
    /// A statement whose user comes before that of the statement before it.
    case order(Int)
    /// A statement that says something else than the first in a claim that must be the same.
    case unequal(ClaimName, Int)

    // Number
    /// Neither the statements nor the verifier say how many persons are needed.
    case quorumMissing
    /// Fewer persons signed than are needed.
    case quorumNotMet(found: Int, needed: Int)
    /// More persons signed than were asked.
    case quorumExceeded(found: Int, asked: Int)
}

extension BundleFault: CustomStringConvertible {
    /// The stable name, as in `docs/bundle.md`.
    public var code: String {
        switch self {
        case .tooLong: "too-long"
        case .malformed: "bundle"
        case .version: "bundle-version"
        case .statements: "bundle-statements"
        case .evidence: "bundle-evidence"
        case .keys: "bundle-keys"
        case .statement(_, let reason): reason.code
        case .sameSigner: "same-signer"
        case .sameID: "same-id"
        case .order: "order"
        case .unequal(let name, _): "unequal-\(name.rawValue)"
        case .quorumMissing: "quorum-missing"
        case .quorumNotMet: "quorum-not-met"
        case .quorumExceeded: "quorum-exceeded"
        }
    }

    /// The place of the statement that is at fault, from 1; nil where it is none, or no single one.
    public var place: Int? {
        switch self {
        case .statement(let place, _), .sameSigner(_, let place), .sameID(_, let place), .order(let place): place
        case .unequal(_, let place): place
        default: nil
        }
    }

    /// One sentence for a person. It never repeats what stands in the unverified text.
    public var description: String {
        switch self {
        case .tooLong: "it is longer than \(UnverifiedBundle.maxBytes) bytes"
        case .malformed: "it is not the canonical text of a bundle"
        case .version: "it is another version of a bundle than 1"
        case .statements: "a bundle has 1 to \(UnverifiedBundle.maxStatements) statements"
        case .evidence: "it has evidence, of which this version has none"
        case .keys: "its keys are neither a canonical set of public keys nor a key history"
        case .statement(let place, let reason): "statement \(place): \(reason)"
        case .sameSigner(let first, let second): "statements \(first) and \(second) are of the same person"
        case .sameID(let first, let second): "statements \(first) and \(second) have the same id"
        case .order(let place): "statement \(place) is not in the order of the users"
        case .unequal(let name, let place): "statement \(place) says something else in \(name.rawValue) than the first"
        case .quorumMissing: "nothing says how many persons are needed"
        case .quorumNotMet(let found, let needed):
            "\(needed) persons must have signed, and here \(found == 1 ? "is" : "are") \(found)"
        case .quorumExceeded(let found, let asked): "\(found) persons signed, and only \(asked) were asked"
        }
    }
}
