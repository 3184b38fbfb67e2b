/// One request over HTTP and its answer: what a client stands on, so that its tests can put anything in its place.
package protocol HTTPExchange: Sendable {
    /// Sends a request once and returns the whole answer, whatever its status. Nothing is repeated, no redirect followed.
    ///
    /// - Throws: ``OutboundError``, also where the task is cancelled.
    func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse
}

/// A request.
package struct OutboundRequest: Sendable {
    /// The method: `GET`, `POST`, ...
    package var method: String
    /// The absolute URL, `http` or `https`.
    package var url: String
    /// The header fields.
    package var headers: [(name: String, value: String)]
    /// The body; nil: none.
    package var body: [UInt8]?
    /// How long the exchange may take, from the first try to connect to the last byte of the answer.
    package var timeout: Duration
    /// The longest body of an answer that is read, in bytes.
    package var maxBytes: Int

    /// A request.
    package init(
        _ method: String, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil,
        timeout: Duration = .seconds(30), maxBytes: Int = 1 << 20
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maxBytes = maxBytes
    }
}

/// An answer.
package struct OutboundResponse: Sendable {
    /// The status.
    package let status: Int
    /// The header fields, as they came.
    package let headers: [(name: String, value: String)]
    /// The body, whole.
    package let body: [UInt8]

    /// An answer.
    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of a header field; nil where there is none, and where there are several: whoever needs one must not pick.
    package func header(_ name: String) -> String? {
        let values = headers.filter { $0.name.lowercased() == name.lowercased() }
        return values.count == 1 ? values.first?.value : nil
    }
}

/// Why there is no answer.
package struct OutboundError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The closed list.
    package enum Code: Sendable, Hashable, CaseIterable {
        /// Nothing listens there, or the name is not known: the request was not sent.
        case unreachable
        /// The connection was lost: the request may have been carried out.
        case connectionLost
        /// It took longer than allowed: the request may have been carried out.
        case timedOut
        /// No connection that can be trusted: the certificate, its name, or the handshake. The request was not sent.
        case untrusted
        /// What came is not HTTP.
        case protocolViolation
        /// The answer is longer than allowed.
        case tooLarge
        /// The task was cancelled.
        case cancelled
        /// The name leads where nobody may be sent: the request was not sent.
        case refusedAddress
        /// The request itself cannot be sent: its URL or a header field.
        case requestInvalid
    }

    /// The reason.
    package let code: Code
    /// The reason for a person. Never a part of the request.
    package let detail: String

    /// An error.
    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Whether the request certainly never arrived, so that it can be repeated whatever it is.
    package var wasNotSent: Bool {
        [.unreachable, .untrusted, .refusedAddress, .requestInvalid].contains(code)
    }

    /// The reason for a person.
    package var description: String { detail }
}
