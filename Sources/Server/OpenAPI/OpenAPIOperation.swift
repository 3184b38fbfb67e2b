internal import CountersignJOSE
internal import HTTPTypes
internal import Signing
internal import Wire

/// One route as an operation of OpenAPI.
struct OpenAPIOperation {
    let route: Route

    init(_ route: Route) { self.route = route }

    var json: JSONObject {
        var operation = JSONObject()
        operation["operationId"] = .string(route.name)
        operation["summary"] = .string(route.summary)
        operation["description"] = .string(Self.text(of: route.access))
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body { operation["requestBody"] = body }
        operation["responses"] = .object(responses)
        operation["security"] = .array(security)
        return operation
    }

    private static func text(of access: Access) -> String {
        switch access {
        case .everyone: "For everybody."
        case .observers: "For this machine, and for the addresses that may read the metrics."
        case .holdersOfKey: "For whoever proves a key, which becomes that of the session."
        case .holdersOfGrant: "For whoever has a refresh token, or a relying service's credential."
        case .sessions(let roles):
            "For the sessions of: "
                + Access.Role.allCases.filter(roles.contains).map(\.rawValue).joined(separator: ", ")
                + "."
        }
    }

    // MARK: In

    private var parameters: [JSON] {
        var parameters = route.path.parameters.map { name in
            Self.parameter(name, in: "path", isRequired: true, .object([("type", .string("string"))]), nil)
        }
        parameters += route.query.map { Self.parameter($0.name, in: "query", isRequired: false, $0.schema, $0.note) }
        if route.isIdempotencyKeyTaken {
            let schema = JSON.object([
                ("type", .string("string")), ("pattern", .string("^[!-~]{1,128}$")),
            ])
            let note =
                "The same request again gets the same answer, for 24 hours; another with the same key is refused."
            parameters.append(Self.parameter("Idempotency-Key", in: "header", isRequired: false, schema, note))
        }
        if route.takesWait {
            let schema = JSON.object([("type", .string("string"))])
            parameters.append(
                Self.parameter(
                    "Prefer", in: "header", isRequired: false, schema,
                    "wait=N (RFC 7240): the answer comes when there is something new, after N seconds at most, or 60."))
        }
        return parameters
    }

    private static func parameter(
        _ name: String, in place: String, isRequired: Bool, _ schema: JSON, _ note: String?
    ) -> JSON {
        var parameter = JSONObject([("name", .string(name)), ("in", .string(place))])
        if let note { parameter["description"] = .string(note) }
        parameter["required"] = .bool(isRequired)
        parameter["schema"] = schema
        return .object(parameter)
    }

    private var body: JSON? {
        let (type, shape): (String, Shape)
        switch route.input {
        case .nothing: return nil
        case .json(let json): (type, shape) = ("application/json", json)
        case .form(let form): (type, shape) = (TokenRequest.mediaType, form)
        }
        return .object([("required", .bool(true)), ("content", Self.content([(type, Self.reference(shape))]))])
    }

    // MARK: Out

    private var responses: JSONObject {
        var answers: [(Int, JSON)] = [(route.answer.status, success)]
        if route.isTagged {
            let headers = Self.headers(["X-Request-ID", "ETag"])
            answers.append((304, .object([("description", .string("Not changed.")), ("headers", headers)])))
        }
        for (status, codes) in problems { answers.append((status, problem(status, codes))) }
        var responses = JSONObject()
        for (status, answer) in answers.sorted(by: { $0.0 < $1.0 }) { responses[String(status)] = answer }
        return responses
    }

    private var success: JSON {
        var response = JSONObject([("description", .string("Done."))])
        var headers = ["X-Request-ID"]
        if route.takesProof { headers.append("DPoP-Nonce") }
        if route.isTagged { headers.append("ETag") }
        if route.takesWait { headers.append("Preference-Applied") }
        if route.name == "startSigning" { headers.append("Location") }
        response["headers"] = Self.headers(headers)
        guard let type = route.answer.type else { return .object(response) }
        let text = JSON.object([("type", .string("string"))])
        var schema = route.answer.shape.map(Self.reference)
        if let schema1 = schema, let other = route.answer.otherShape {
            schema = .object([("oneOf", .array([schema1, Self.reference(other)]))])
        }
        let plain: JSON = type == "application/json" ? .object([("type", .string("object"))]) : text
        let others = route.answer.alternatives.map { ($0, $0.hasSuffix("json") ? plain : text) }
        response["content"] = Self.content([(type, schema ?? plain)] + others)
        return .object(response)
    }

    /// The refusals that may come, by their status.
    var problems: [(Int, [Refusal.Code])] {
        var codes: [Refusal.Code] = [.requestMalformed, .requestTimeout, .headersTooLarge, .internalFault]
        codes += [.serverBusy, .serverStopping, .storeBusy, .storeUnavailable, .storeFull, .clockBehind, .storeCorrupt]
        if route.answer.type != nil { codes.append(.notAcceptable) }
        if !route.query.isEmpty { codes += [.memberUnknown, .memberValue] }
        switch route.input {
        case .nothing: codes.append(.mediaType)
        case .json, .form: codes += [.memberUnknown, .memberMissing, .memberValue, .mediaType]
        }
        codes.append(.requestTooLarge)
        switch route.access {
        case .everyone: break
        case .observers: codes.append(.routeUnknown)
        case .holdersOfKey, .holdersOfGrant:
            codes += [.proofMissing, .proofInvalid, .proofReplayed, .nonceNeeded, .tooManyRequests]
        case .sessions:
            codes += [.tokenMissing, .tokenInvalid, .proofMissing, .proofInvalid, .proofReplayed, .nonceNeeded]
            codes += [.scopeInsufficient, .tooManyRequests]
        }
        if route.isIdempotencyKeyTaken {
            codes += [.idempotencyKeyMalformed, .idempotencyRunning, .idempotencyMismatch]
        }
        var byStatus: [Int: Set<Refusal.Code>] = [:]
        for code in codes + route.refusals { byStatus[code.httpStatus, default: []].insert(code) }
        return byStatus.map { ($0.key, $0.value.sorted { $0.rawValue < $1.rawValue }) }.sorted { $0.0 < $1.0 }
    }

    private func problem(_ status: Int, _ codes: [Refusal.Code]) -> JSON {
        let names = codes.map { "\($0.rawValue) \($0.name)" }.joined(separator: ", ")
        return .object([
            ("$ref", .string("#/components/responses/Problem\(status)")), ("description", .string(names)),
        ])
    }

    /// The problem of a status, as all operations have it.
    static func problem(_ status: Int) -> JSON {
        var headers = ["X-Request-ID"]
        if status == 401 || status == 403 { headers += ["WWW-Authenticate", "DPoP-Nonce"] }
        if status == 429 || status == 503 { headers.append("Retry-After") }
        return .object([
            ("description", .string("A refusal.")), ("headers", Self.headers(headers)),
            ("content", Self.content([(Problem.mediaType, Self.reference(Problem.shape))])),
        ])
    }

    private static func headers(_ names: [String]) -> JSON {
        .object(names.map { ($0, .object([("$ref", .string("#/components/headers/\($0)"))])) })
    }

    private static func content(_ types: [(String, JSON)]) -> JSON {
        .object(types.map { ($0.0, .object([("schema", $0.1)])) })
    }

    private static func reference(_ shape: Shape) -> JSON { .object([("$ref", .string(shape.reference))]) }

    /// Each entry is a way that does.
    private var security: [JSON] {
        func way(_ names: String...) -> JSON { .object(names.map { ($0, .array([])) }) }
        switch route.access {
        case .everyone, .observers: return [.object(JSONObject())]
        case .holdersOfKey: return [way("proof")]
        case .holdersOfGrant: return [way("proof"), way("client"), way("client", "proof"), .object(JSONObject())]
        case .sessions(let roles): return [way("dpop", "proof")] + (roles.contains(.service) ? [way("bearer")] : [])
        }
    }
}
