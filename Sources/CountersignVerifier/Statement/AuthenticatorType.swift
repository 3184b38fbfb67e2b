/// Who chooses the authenticator. The numbers are those of the claim `authenticator_type` (rules S05, S48).
public enum AuthenticatorType: Int, Sendable, Hashable, CaseIterable {
    /// None is asked for: the service takes what the level and the device allow.
    case none = 0
    /// The identity verification server's biometric; level 4 only.
    case idvServerBiometric = 1
}
