internal import CountersignKeys
internal import Signing
internal import Wire

/// One logical call: a request that may be sent more than once, and means the same each time.
package struct Call: Sendable {
    /// What kind of body a call has.
    enum Body: Sendable {
        case json(SecretBytes)
        case form(SecretBytes)

        /// It may hold a password: what the message was written to is wiped, and what is sent after it was sent.
        static func json(_ message: some WireMessage) -> Body {
            var json = message.json
            defer { wipe(&json) }
            return .json(SecretBytes(copying: json.span))
        }

        static func form(_ request: TokenRequest) -> Body {
            var form = request.form
            defer { wipe(&form) }
            return .form(SecretBytes(copying: form.span))
        }

        /// A copy, for the caller to wipe.
        var bytes: [UInt8] {
            switch self {
            case .json(let secret), .form(let secret):
                secret.withBytes { bytes in
                    var copy: [UInt8] = []
                    copy.reserveCapacity(bytes.count)
                    for index in bytes.indices { copy.append(bytes[index]) }
                    return copy
                }
            }
        }

        var mediaType: String {
            switch self {
            case .json: "application/json"
            case .form: TokenRequest.mediaType
            }
        }
    }

    let method: String
    /// The path, escaped.
    let path: String
    /// The query, with its question mark; empty: none.
    let query: String
    let body: Body?
    let accept: String
    /// The `Idempotency-Key`: the same for every time it is sent.
    let key: String?
    /// The longest answer, in bytes.
    let maxBytes: Int
    /// Whether a second time may cost the person an attempt, so that it is sent again once only after a lost connection.
    let isCostly: Bool
    /// Whether it is not sent again after a lost connection at all.
    let isOnce: Bool
    /// So many seconds the service may wait for something new (RFC 7240).
    private(set) var wait = 0
    /// The tag of what is known already: what comes may be 304, not changed.
    private(set) var tag: String?

    private init(
        _ method: String, _ path: String, query: String = "", body: Body? = nil, accept: String = "application/json",
        key: String? = nil, maxBytes: Int = 1 << 20, isCostly: Bool = false,
        isOnce: Bool = false
    ) {
        self.isOnce = isOnce
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.accept = accept
        self.key = key
        self.maxBytes = maxBytes
        self.isCostly = isCostly
    }

    /// Something to read.
    static func get(
        _ path: String, query: [(name: String, value: String?)] = [], accept: String = "application/json",
        maxBytes: Int = 1 << 26, wait: Int = 0, tag: String? = nil
    ) -> Call {
        let parameters = query.compactMap { name, value in value.map { "\(name)=\(Percent.encoded($0))" } }
        let text = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
        var call = Call("GET", path, query: text, accept: accept, maxBytes: maxBytes)
        (call.wait, call.tag) = (wait, tag)
        return call
    }

    /// Something to end.
    static func delete(_ path: String) -> Call { Call("DELETE", path) }

    /// Something to set.
    static func put(_ path: String, _ message: some WireMessage) -> Call {
        Call("PUT", path, body: .json(message))
    }

    /// Something to change, once.
    static func patch(_ path: String, _ message: some WireMessage) throws(ServiceError) -> Call {
        Call("PATCH", path, body: .json(message), key: try newKey(), maxBytes: 1 << 26)
    }

    /// Something to do, once.
    ///
    /// - Parameter key: the `Idempotency-Key`; nil: one that nobody else makes.
    static func post(
        _ path: String, _ message: (any WireMessage)? = nil, accept: String = "application/json", key: String? = nil,
        maxBytes: Int = 1 << 20, isCostly: Bool = false
    ) throws(ServiceError) -> Call {
        let name: String
        if let key { name = try checked(key) } else { name = try newKey() }
        return Call(
            "POST", path, body: message.map { Body.json($0) }, accept: accept, key: name,
            maxBytes: maxBytes, isCostly: isCostly)
    }

    /// Nothing but what is a key goes into a header field.
    private static func checked(_ key: String) throws(ServiceError) -> String {
        guard (1...128).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ServiceError(Refusal(.idempotencyKeyMalformed))
        }
        return key
    }

    /// Something to read that has a body; it changes nothing.
    static func query(_ path: String, _ message: some WireMessage) -> Call {
        Call("POST", path, body: .json(message), key: nil, maxBytes: 1 << 26)
    }

    /// A form for the token endpoint.
    ///
    /// - Parameter key: the `Idempotency-Key`; one that was kept goes on with what a process before this began.
    static func token(_ request: TokenRequest, key: String?) -> Call {
        Call("POST", "/v1/token", body: .form(request), key: key)
    }

    /// The same, but not sent again after a lost connection: the caller looks first what came of it.
    var once: Call {
        Call(
            method, path, query: query, body: body, accept: accept, key: key, maxBytes: maxBytes, isCostly: isCostly,
            isOnce: true)
    }

    /// A name or id as a segment of a path. Those that a service knows stand there as they are; of others it says that there is
    /// nothing.
    static func segment(_ text: String) -> String {
        // An empty one or dots alone would lead elsewhere.
        if text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") }) { return "%2E" }
        // `@` may stand in a path (RFC 3986 section 3.3), and has one spelling there.
        return Percent.encoded(text).replacing("%40", with: "@")
    }

    /// An `Idempotency-Key` that nobody else makes.
    static func newKey() throws(ServiceError) -> String {
        do throws(KeyError) { return try SecureRandom.uuid() } catch { throw ServiceError(error) }
    }

    /// Whether it may be sent again without doing anything twice.
    var isRepeatable: Bool { method != "POST" || key != nil || path == "/v1/verifications" }
}
