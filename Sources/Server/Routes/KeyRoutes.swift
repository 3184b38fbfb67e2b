internal import CountersignJOSE
internal import CountersignKeys
internal import CountersignVerifier
internal import HTTPTypes
internal import NIOCore
internal import Signing
internal import SigningService
internal import Storage
internal import Wire

extension Service {
    /// What this interface is.
    static let documentRoute = Route(
        method: .get, path: PathPattern("/v1/openapi.json"), name: "openapi", summary: "This document",
        access: .everyone, answer: .init(status: 200, type: "application/json"), isTagged: true
    ) { call in
        var reply = try call.cacheable(OpenAPIDocument.text, type: "application/json")
        if case .bytes(_, let type) = reply.body { reply.body = .shared(documentText, type: type) }
        return reply
    }

    private static let documentText = ByteBuffer(bytes: OpenAPIDocument.text)

    /// What verifiers need, for everybody.
    static let keyRoutes: [Route] = [
        Route(
            method: .get, path: PathPattern("/.well-known/jwks.json"), name: "keySet",
            summary: "Every key that ever signed statements (RFC 7517)", access: .everyone,
            answer: .init(status: 200, type: "application/json", alternatives: ["application/jwk-set+json"]),
            isTagged: true
        ) { call in
            let type = call.prefers("application/jwk-set+json") ? "application/jwk-set+json" : "application/json"
            return try await call.cacheable(call.service.engine.keySet(), type: type)
        },
        Route(
            method: .get, path: PathPattern("/.well-known/countersign-keys"), name: "keyHistory",
            summary: "The key history, signed by the root key", access: .everyone,
            answer: .init(status: 200, type: "application/jwt"), refusals: [.keyUnknown], isTagged: true
        ) { call in
            guard let text = try await call.service.engine.newestHistory() else { throw Refusal(.keyUnknown) }
            return try call.cacheable(text, type: "application/jwt")
        },
        Route(
            method: .get, path: PathPattern("/.well-known/oauth-authorization-server"), name: "metadata",
            summary: "What this service is and where its parts are (RFC 8414)", access: .everyone,
            answer: .json(MetadataMessage.shape), isTagged: true
        ) { call in
            let origin = call.service.origin
            let message = MetadataMessage(
                issuer: try await call.service.engine.facts().issuer, tokenEndpoint: "\(origin)/v1/token",
                keys: "\(origin)/.well-known/jwks.json", grantTypes: ["refresh_token", "client_credentials"],
                responseTypes: [],
                tokenMethods: ["client_secret_basic", "client_secret_post", "private_key_jwt"],
                tokenAlgorithms: ["ES256", "EdDSA"], proofAlgorithms: ["ES256", "EdDSA"],
                levels: [0, 1, 4].map { "urn:countersign:level:\($0)" },
                keyHistory: "\(origin)/.well-known/countersign-keys", api: "\(origin)/v1",
                documentation: "\(origin)/v1/openapi.json")
            return try call.cacheable(message.json, type: "application/json")
        },
    ]
}

extension Call {
    /// A text that caches may keep for a while, with its tag; 304 where the client has it.
    func cacheable(_ bytes: [UInt8], type: String) throws -> Reply {
        var reply = try tagged(bytes, type: type)
        reply.fields.append(HTTPField(name: .cacheControl, value: "public, max-age=60"))
        return reply
    }

    /// A text with its tag; 304 where the client has it.
    func tagged(_ bytes: [UInt8], type: String) throws -> Reply {
        let digest = SHA256.hash(bytes.span)
        let tag = "\"\(Base64URL.encode(digest.span))\""
        let fields = [HTTPField(name: .eTag, value: tag)]
        let isKnown = self.fields[values: .ifNoneMatch].joined(separator: ",").split(separator: ",").contains { entry in
            let text = entry.filter { $0 != " " && $0 != "\t" }
            return ["*", tag, "W/\(tag)"].contains { $0.utf8.elementsEqual(text.utf8) }
        }
        return isKnown ? Reply(304, .nothing, fields) : Reply(200, .bytes(bytes, type: type), fields)
    }
}
