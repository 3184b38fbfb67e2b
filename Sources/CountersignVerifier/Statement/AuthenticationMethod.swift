/// What a person really did to authenticate: the values of the claim `amr`. Names of RFC 8176 section 2, and two of
/// our own for identity verification.
///
/// The set is closed: a verifier that meets another name refuses the statement.
public enum AuthenticationMethod: String, Sendable, Hashable, CaseIterable {
    /// A password.
    case pwd
    /// A PIN or device passcode.
    case pin
    /// A fingerprint.
    case fpt
    /// A face.
    case face
    /// Proof of possession of a hardware-secured key.
    case hwk
    /// Proof of possession of a software-secured key.
    case swk
    /// A test that a user is present.
    case user
    /// More than one factor.
    case mfa
    /// A biometric that an identity verification server compared (ours).
    case idv
    /// The same from a provider for tests; a verifier refuses it unless told otherwise (ours).
    case idvTest = "idv-test"
}
