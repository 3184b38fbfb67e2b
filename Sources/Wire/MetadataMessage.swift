package import CountersignJOSE
package import Signing

/// `/.well-known/oauth-authorization-server` (RFC 8414 section 2, RFC 9449 section 5.1).
package struct MetadataMessage: WireMessage {
    /// The `iss` of its statements.
    package let issuer: String
    /// Where sessions are refreshed and relying services log in.
    package let tokenEndpoint: String
    /// Where its keys are.
    package let keys: String
    /// The grant types.
    package let grantTypes: [String]
    /// None: RFC 8414 wants the member.
    package let responseTypes: [String]
    /// How relying services authenticate.
    package let tokenMethods: [String]
    /// The algorithms of their assertions.
    package let tokenAlgorithms: [String]
    /// The algorithms of proofs.
    package let proofAlgorithms: [String]
    /// The levels.
    package let levels: [String]
    /// Where the signed key history is.
    package let keyHistory: String
    /// Where version 1 of the API begins.
    package let api: String
    /// Where the OpenAPI document is.
    package let documentation: String?

    /// The message with these members.
    package init(
        issuer: String, tokenEndpoint: String, keys: String, grantTypes: [String], responseTypes: [String],
        tokenMethods: [String], tokenAlgorithms: [String], proofAlgorithms: [String], levels: [String],
        keyHistory: String, api: String, documentation: String? = nil
    ) {
        self.issuer = issuer
        self.tokenEndpoint = tokenEndpoint
        self.keys = keys
        self.grantTypes = grantTypes
        self.responseTypes = responseTypes
        self.tokenMethods = tokenMethods
        self.tokenAlgorithms = tokenAlgorithms
        self.proofAlgorithms = proofAlgorithms
        self.levels = levels
        self.keyHistory = keyHistory
        self.api = api
        self.documentation = documentation
    }

    /// Its members.
    package static let shape = Shape(
        "Metadata",
        [
            .required("issuer", .line, "the iss of statements"),
            .required("token_endpoint", .line),
            .required("jwks_uri", .line, "every key that ever signed"),
            .required("grant_types_supported", .lines(max: 16)),
            .required("response_types_supported", .lines(max: 16), "none"),
            .required("token_endpoint_auth_methods_supported", .lines(max: 16)),
            .required("token_endpoint_auth_signing_alg_values_supported", .lines(max: 16)),
            .required("dpop_signing_alg_values_supported", .lines(max: 16)),
            .required("acr_values_supported", .lines(max: 16)),
            .required("countersign_keys_uri", .line, "the signed key history"),
            .required("countersign_api", .line, "where version 1 of the API begins"),
            .optional("service_documentation", .line, "the OpenAPI document"),
        ], isOpen: true)

    /// Takes what was read.
    package init(_ members: Members) throws(Refusal) {
        issuer = try members.string("issuer")
        tokenEndpoint = try members.string("token_endpoint")
        keys = try members.string("jwks_uri")
        grantTypes = members.optionalStrings("grant_types_supported") ?? []
        responseTypes = members.optionalStrings("response_types_supported") ?? []
        tokenMethods = members.optionalStrings("token_endpoint_auth_methods_supported") ?? []
        tokenAlgorithms = members.optionalStrings("token_endpoint_auth_signing_alg_values_supported") ?? []
        proofAlgorithms = members.optionalStrings("dpop_signing_alg_values_supported") ?? []
        levels = members.optionalStrings("acr_values_supported") ?? []
        keyHistory = try members.string("countersign_keys_uri")
        api = try members.string("countersign_api")
        documentation = members.optionalString("service_documentation")
    }

    /// Writes it as one value.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(name: "issuer", string: issuer)
        writer.member(name: "token_endpoint", string: tokenEndpoint)
        writer.member(name: "jwks_uri", string: keys)
        writer.member(name: "grant_types_supported", strings: grantTypes)
        writer.member(name: "response_types_supported", strings: responseTypes)
        writer.member(name: "token_endpoint_auth_methods_supported", strings: tokenMethods)
        writer.member(name: "token_endpoint_auth_signing_alg_values_supported", strings: tokenAlgorithms)
        writer.member(name: "dpop_signing_alg_values_supported", strings: proofAlgorithms)
        writer.member(name: "acr_values_supported", strings: levels)
        writer.member(name: "countersign_keys_uri", string: keyHistory)
        writer.member(name: "countersign_api", string: api)
        writer.member(name: "service_documentation", string: documentation)
        writer.endObject()
    }
}
