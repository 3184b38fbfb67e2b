public import CountersignKeys

/// Why a text is not a valid statement. `docs/statement.md` has the table.
public enum InvalidReason: Error, Sendable {
    // Format
    /// Nothing there: no bytes, or a blank line.
    case empty
    /// More than `StatementText.maxBytes` bytes.
    case tooLong
    /// Not three non-empty parts of the base64url alphabet joined by dots (RFC 7515 section 7.1).
    case notCompact
    /// A part has a second spelling (RFC 4648 section 3.5).
    case notBase64URL
    /// The header is not the canonical text of `alg`, `kid` and `typ`.
    case header
    /// `typ` is another (RFC 8725 section 3.11).
    case type
    /// `alg` is none of the five (RFC 8725 section 3.1).
    case algorithm
    /// `kid` does not have the form of a SHA-256 thumbprint (RFC 7638).
    case keyID
    /// The claims are not canonical JSON.
    case claims
    /// A claim is unknown, missing, repeated or out of order.
    case claimSet
    /// The value of one claim is outside what the format allows.
    case claim(ClaimName)
    /// The pair of level and authenticator type is not in the matrix (S04, S05, S10).
    case levelAndType
    /// A JSON result is malformed.
    case result
    /// A JSON result does not say what its statement says.
    case resultDiffers

    // Key and signature
    /// The key is a root key, which signs key histories only.
    case rootKey
    /// `alg` is not the algorithm of the key.
    case algorithmMismatch
    /// The signature does not verify.
    case signature

    // State of the key
    /// `iat` is before the key's time.
    case keyNotYetActive
    /// `iat` is after the key was retired.
    case keyRetired
    /// `iat` is after the key was revoked as superseded.
    case keySuperseded

    // Policy
    /// The level is below what the policy asks.
    case levelTooLow(AuthLevel, atLeast: AuthLevel)
    /// `iat` is further from now than clocks may differ.
    case issuedInFuture
    /// `amr` has `idv-test`, and the policy does not allow it.
    case testIDV
    /// The statement is meant for an audience, and the verifier did not say that it is one.
    case audienceNotExpected
    /// The verifier named an audience, and the statement has none.
    case audienceMissing
    /// The statement is meant for another audience.
    case audienceDiffers
    /// Fewer persons signed than are needed.
    case quorumNotMet(found: Int, needed: Int)
    /// Another issuer.
    case issuerDiffers
    /// An algorithm that the policy leaves out.
    case algorithmNotAllowed(KeyAlgorithm)
    /// `amr` lacks a method that the policy requires.
    case methodMissing(AuthenticationMethod)
    /// Another reason, compared by bytes.
    case reasonDiffers
    /// Another payload, compared by bytes.
    case payloadDiffers
    /// The payload is not the digest of the file.
    case fileDiffers
    /// `iat` is older than the policy allows.
    case tooOld
}

extension InvalidReason: CustomStringConvertible {
    /// The stable name, as in `docs/statement.md`.
    public var code: String {
        switch self {
        case .empty: "empty"
        case .tooLong: "too-long"
        case .notCompact: "not-compact"
        case .notBase64URL: "not-base64url"
        case .header: "header"
        case .type: "type"
        case .algorithm: "algorithm"
        case .keyID: "key-id"
        case .claims: "claims"
        case .claimSet: "claim-set"
        case .claim(let name): "claim-\(name.rawValue)"
        case .levelAndType: "level-and-type"
        case .result: "result"
        case .resultDiffers: "result-differs"
        case .rootKey: "root-key"
        case .algorithmMismatch: "algorithm-mismatch"
        case .signature: "signature"
        case .keyNotYetActive: "key-not-yet-active"
        case .keyRetired: "key-retired"
        case .keySuperseded: "key-superseded"
        case .levelTooLow: "level-too-low"
        case .issuedInFuture: "issued-in-future"
        case .testIDV: "test-idv"
        case .audienceNotExpected: "audience-not-expected"
        case .audienceMissing: "audience-missing"
        case .audienceDiffers: "audience-differs"
        case .quorumNotMet: "quorum-not-met"
        case .issuerDiffers: "issuer-differs"
        case .algorithmNotAllowed: "algorithm-not-allowed"
        case .methodMissing: "method-missing"
        case .reasonDiffers: "reason-differs"
        case .payloadDiffers: "payload-differs"
        case .fileDiffers: "file-differs"
        case .tooOld: "too-old"
        }
    }

    /// One sentence for a person. It never repeats what stands in the unverified text.
    public var description: String {
        switch self {
        case .empty: "there is no statement"
        case .tooLong: "it is longer than \(StatementText.maxBytes) bytes"
        case .notCompact: "it is not three parts of base64url joined by dots"
        case .notBase64URL: "a part is not spelt as base64url requires"
        case .header: "its header is not the one a statement has"
        case .type: "it is another kind of token, not a statement"
        case .algorithm: "its algorithm is none that statements use"
        case .keyID: "its key id is not a thumbprint"
        case .claims: "its claims are not canonical JSON"
        case .claimSet: "its claims are not those of a statement, in their order"
        case .claim(let name): "its claim \(name.rawValue) has a value that is not allowed"
        case .levelAndType: "its level and authenticator type do not go together"
        case .result: "the JSON result is malformed"
        case .resultDiffers: "the JSON result does not say what was signed"
        case .rootKey: "it is signed by a root key, which signs only key histories"
        case .algorithmMismatch: "its algorithm is not the one of its key"
        case .signature: "the signature is wrong"
        case .keyNotYetActive: "its key was not yet in use at that time"
        case .keyRetired: "its key was already retired at that time"
        case .keySuperseded: "its key was already revoked at that time"
        case .levelTooLow(let found, let wanted):
            "its level is \(found.rawValue), at least \(wanted.rawValue) is required"
        case .issuedInFuture: "it is dated in the future"
        case .testIDV: "identity was verified by a test provider only"
        case .audienceNotExpected: "it is meant for an audience, and none was named to the verifier"
        case .audienceMissing: "it names no audience, and one is required"
        case .audienceDiffers: "it is meant for another audience"
        case .quorumNotMet(let found, let needed): "\(needed) persons must have signed, and here is \(found)"
        case .issuerDiffers: "it comes from another issuer"
        case .algorithmNotAllowed(let algorithm): "its algorithm \(algorithm.rawValue) is not allowed here"
        case .methodMissing(let method): "the person did not authenticate by \(method.rawValue)"
        case .reasonDiffers: "it was signed for another reason"
        case .payloadDiffers: "another payload was signed"
        case .fileDiffers: "another file was signed"
        case .tooOld: "it is too old"
        }
    }
}
