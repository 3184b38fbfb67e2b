public import CountersignKeys

/// For whom the statement may be meant (RFC 8725 section 3.9).
public enum AudienceRule: PolicyRule {
    /// For nobody in particular: a statement with `aud` is refused.
    case none
    /// For this audience, and only for it.
    case exactly(String)
    /// For whomever: `aud` is not looked at.
    case any

    /// `audienceNotExpected`, `audienceMissing` or `audienceDiffers`, or nil.
    public func failure(of claims: Claims, algorithm: KeyAlgorithm, at now: Int64) -> InvalidReason? {
        switch self {
        case .any: nil
        case .none: claims.audience == nil ? nil : .audienceNotExpected
        case .exactly(let wanted):
            switch claims.audience {
            case .none: .audienceMissing
            case .some(let audience): audience.utf8.elementsEqual(wanted.utf8) ? nil : .audienceDiffers
            }
        }
    }
}
