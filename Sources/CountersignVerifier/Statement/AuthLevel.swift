/// How strongly a person authenticated for one signature. The numbers are those of the claim `auth_level`; there is no
/// level 2 or 3 (rules S04, S08, S09).
public enum AuthLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// No authentication at all.
    case none = 0
    /// The first that the device has: biometric, device passcode, password.
    case one = 1
    /// A biometric that an identity verification server compared.
    case four = 4

    /// The level as the claim `acr` says it: `urn:countersign:level:N`.
    public var acr: String {
        switch self {
        case .none: "urn:countersign:level:0"
        case .one: "urn:countersign:level:1"
        case .four: "urn:countersign:level:4"
        }
    }

    /// The level that an `acr` names, byte for byte; nil for any other text.
    public init?(acr: String) {
        guard let level = Self.allCases.first(where: { $0.acr.utf8.elementsEqual(acr.utf8) }) else { return nil }
        self = level
    }

    /// By strength.
    public static func < (left: AuthLevel, right: AuthLevel) -> Bool { left.rawValue < right.rawValue }
}
