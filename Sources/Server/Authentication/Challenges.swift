internal import HTTPTypes
internal import Signing
internal import Wire

extension Problem {
    /// The values of `WWW-Authenticate` that belong to the refusal: RFC 6750 section 3, RFC 9449 section 7.1, RFC 9470
    /// section 3, RFC 6749 section 5.2.
    func challenges(isBearer: Bool, of route: Route) -> [HTTPField] {
        guard status == 401 || status == 403 && error != nil else { return [] }
        if error == "invalid_client" { return Self.field("Basic realm=\"countersign\"") }
        var words: [(String, String)] = []
        if let error {
            words.append(("error", error))
            words.append(("error_description", title))
        }
        if let maxAge {
            words.append(("acr_values", "urn:countersign:level:1"))
            words.append(("max_age", String(maxAge)))
        }
        if isBearer { return Self.field("Bearer", words) }
        words.append(("algs", "ES256 EdDSA"))
        guard error == nil, case .sessions(let roles) = route.access, roles.contains(.service) else {
            return Self.field("DPoP", words)
        }
        // Who says nothing may say it in both ways, where relying services have business.
        return Self.field("Bearer realm=\"countersign\", DPoP", words)
    }

    private static func field(_ scheme: String, _ words: [(String, String)] = []) -> [HTTPField] {
        // The words are this program's own: no quotation mark, no backslash.
        let parameters = words.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ", ")
        return [HTTPField(name: .wwwAuthenticate, value: parameters.isEmpty ? scheme : "\(scheme) \(parameters)")]
    }
}
