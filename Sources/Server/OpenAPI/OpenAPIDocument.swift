internal import CountersignJOSE
internal import HTTPTypes
internal import Signing
internal import Wire

/// The OpenAPI 3.1 document of API v1, made of the routes and of the shapes of their messages: it cannot say what the
/// service does not do.
package enum OpenAPIDocument {
    /// The text, as it is served and as it stands in `docs/openapi.json`.
    package static let text: [UInt8] = PrettyJSON.text(of: .object(document(Service.routes)))

    private static func document(_ routes: [Route]) -> JSONObject {
        var document = JSONObject()
        document["openapi"] = .string("3.1.0")
        document["info"] = .object([
            ("title", .string("Countersign")),
            ("version", .string("1")),
            ("summary", .string("Ask a person, get a signature that anyone can verify.")),
            ("license", .object([("name", .string("Apache-2.0")), ("identifier", .string("Apache-2.0"))])),
        ])
        document["servers"] = .array([.object([("url", .string("/"))])])
        var paths = JSONObject()
        for route in routes {
            var place = paths[route.path.text]?.object ?? JSONObject()
            place[route.method.rawValue.lowercased()] = .object(OpenAPIOperation(route).json)
            paths[route.path.text] = .object(place)
        }
        document["paths"] = .object(paths)
        document["components"] = .object([
            ("securitySchemes", .object(securitySchemes)), ("headers", .object(headers)),
            ("responses", .object(responses(routes))),
            ("schemas", .object(schemas(routes))),
        ])
        return document
    }

    private static let securitySchemes = JSONObject([
        scheme(
            "dpop", "DPoP",
            "An access token bound to a key (RFC 9449). Each request has a proof in the header DPoP, with the "
                + "nonce of the last answer's DPoP-Nonce."),
        scheme("bearer", "bearer", "The access token of a relying service (RFC 6750)."),
        scheme(
            "client", "basic", "A relying service's name and secret, at the token endpoint (RFC 6749 section 2.3.1)."),
        (
            "proof",
            .object([
                ("type", .string("apiKey")), ("in", .string("header")), ("name", .string("DPoP")),
                ("description", .string("A proof of possession without an access token (RFC 9449 section 5).")),
            ])
        ),
    ])

    private static func scheme(_ name: String, _ scheme: String, _ text: String) -> (String, JSON) {
        (
            name,
            .object([
                ("type", .string("http")), ("scheme", .string(scheme)), ("description", .string(text)),
            ])
        )
    }

    private static let headers = JSONObject([
        header("X-Request-ID", "string", "The id of the request in the server's log; always the server's own."),
        header("DPoP-Nonce", "string", "The nonce of the next proof."),
        header("Retry-After", "integer", "When to ask again, in seconds."),
        header("WWW-Authenticate", "string", "What is missing: RFC 6750, RFC 9449, RFC 9470."),
        header("ETag", "string", "Changes with the answer."),
        header("Preference-Applied", "string", "wait, where the service kept to Prefer: wait."),
        header("Location", "string", "Where the new thing is."),
    ])

    private static func header(_ name: String, _ type: String, _ text: String) -> (String, JSON) {
        (
            name,
            .object([("description", .string(text)), ("schema", .object([("type", .string(type))]))])
        )
    }

    private static func responses(_ routes: [Route]) -> JSONObject {
        let statuses = Set(routes.flatMap { OpenAPIOperation($0).problems.map(\.0) })
        return JSONObject(statuses.sorted().map { ("Problem\($0)", OpenAPIOperation.problem($0)) })
    }

    private static func schemas(_ routes: [Route]) -> JSONObject {
        var shapes: [Shape] = []
        for route in routes {
            switch route.input {
            case .json(let shape), .form(let shape): shapes += shape.all
            case .nothing: break
            }
            for shape in [route.answer.shape, route.answer.otherShape].compactMap({ $0 }) { shapes += shape.all }
        }
        var schemas = JSONObject()
        for shape in (shapes + Problem.shape.all).sorted(by: { $0.name < $1.name }) {
            schemas[shape.name] = shape.schema
        }
        return schemas
    }
}

extension JSONObject {
    /// An object with these members.
    init(_ members: [(String, JSON)]) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}

extension JSON {
    /// An object with these members.
    static func object(_ members: [(String, JSON)]) -> JSON { .object(JSONObject(members)) }
}
