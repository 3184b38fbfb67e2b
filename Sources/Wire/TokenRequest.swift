internal import CountersignJOSE
package import Signing

/// `POST /v1/token`: a form, as RFC 6749 has it.
package struct TokenRequest: Sendable {
    /// What is asked for.
    package enum Grant: Sendable {
        /// Another access token for a session (RFC 6749 section 6).
        case refresh(token: String)
        /// A session of a relying service (RFC 6749 section 4.4).
        case clientCredentials
    }

    /// What is asked for.
    package let grant: Grant
    /// `client_id`, where it is in the form rather than in the header (RFC 6749 section 2.3.1).
    package let client: String?
    /// `client_secret`, likewise.
    package let secret: String?
    /// `client_assertion`: a JWT signed by the relying service's key (RFC 7523 section 2.2).
    package let assertion: String?

    /// The media type of the body.
    package static let mediaType = "application/x-www-form-urlencoded"
    /// The one `client_assertion_type`.
    package static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// A request.
    package init(_ grant: Grant, client: String? = nil, secret: String? = nil, assertion: String? = nil) {
        self.grant = grant
        self.client = client
        self.secret = secret
        self.assertion = assertion
    }

    /// Reads a body. Parameters that are not known are ignored, those without a value count as absent (RFC 6749 section 3.2).
    ///
    /// - Throws: `requestMalformed` for what is no form or has a parameter twice, `memberMissing`, `memberValue`,
    ///   `grantTypeUnsupported`.
    package static func parse(_ body: [UInt8]) throws(Refusal) -> TokenRequest {
        let form = try Form(body)
        let assertion = form["client_assertion"]
        if let type = form["client_assertion_type"] {
            guard type.hasSameUTF8(as: assertionType) else {
                throw Refusal(.memberValue, .member("client_assertion_type"))
            }
            if assertion == nil { throw Refusal(.memberMissing, .member("client_assertion")) }
        } else if assertion != nil {
            throw Refusal(.memberMissing, .member("client_assertion_type"))
        }
        guard let type = form["grant_type"] else { throw Refusal(.memberMissing, .member("grant_type")) }
        let grant: Grant
        if type.hasSameUTF8(as: "client_credentials") {
            grant = .clientCredentials
        } else if type.hasSameUTF8(as: "refresh_token") {
            guard let token = form["refresh_token"] else { throw Refusal(.memberMissing, .member("refresh_token")) }
            grant = .refresh(token: token)
        } else {
            throw Refusal(.grantTypeUnsupported)
        }
        return TokenRequest(grant, client: form["client_id"], secret: form["client_secret"], assertion: assertion)
    }

    /// The body. It holds secrets and is for the caller to wipe.
    package var form: [UInt8] {
        var parameters: [(String, String)]
        switch grant {
        case .refresh(let token): parameters = [("grant_type", "refresh_token"), ("refresh_token", token)]
        case .clientCredentials: parameters = [("grant_type", "client_credentials")]
        }
        if let client { parameters.append(("client_id", client)) }
        if let secret { parameters.append(("client_secret", secret)) }
        if let assertion {
            parameters.append(("client_assertion_type", Self.assertionType))
            parameters.append(("client_assertion", assertion))
        }
        return Form.encode(parameters)
    }

    /// Its JSON Schema, for the OpenAPI document.
    package static let shape = Shape(
        "TokenRequest",
        [
            .required("grant_type", .word(["refresh_token", "client_credentials"])),
            .optional("refresh_token", .line), .optional("client_id", .line), .optional("client_secret", .line),
            .optional("client_assertion_type", .word([assertionType])),
            .optional("client_assertion", .text(max: 4096)),
        ], isOpen: true)
}
