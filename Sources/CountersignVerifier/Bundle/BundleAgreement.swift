internal import CountersignJOSE

/// What makes statements belong together: different persons answered the same question.
enum BundleAgreement {
    /// The claims that say what was asked, in their order. The others say who answered, how and when.
    private static let shared: [ClaimName] = [
        .issuer, .audience, .payload, .reason, .level, .request, .template, .quorum,
    ]

    /// Why statements do not belong together, or nil. Places count from 1.
    static func fault(of all: [Claims]) -> BundleFault? {
        guard let first = all.first else { return .statements }
        var signers: [String: Int] = [:]
        var ids: [String: Int] = [:]
        for (index, claims) in all.enumerated() {
            let place = index + 1
            // Both are ASCII, so equal strings are equal bytes.
            if let other = signers.updateValue(place, forKey: claims.subject.text) { return .sameSigner(other, place) }
        }
        for (index, claims) in all.enumerated() {
            let place = index + 1
            if let other = ids.updateValue(place, forKey: claims.id.text) { return .sameID(other, place) }
        }
        for (index, claims) in all.enumerated() {
            if let name = shared.first(where: { !isSame(text($0, of: claims), text($0, of: first)) }) {
                return .unequal(name, index + 1)
            }
        }
        return nil
    }

    private static func text(_ name: ClaimName, of claims: Claims) -> String? {
        switch name {
        case .issuer: claims.issuer
        case .audience: claims.audience
        case .payload: claims.payload
        case .reason: claims.reason
        case .level: claims.level.acr
        default: claims.reserved[name]
        }
    }

    private static func isSame(_ left: String?, _ right: String?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.hasSameUTF8(as: right)
    }
}
