/// What one connection may take. Times are seconds.
package struct ConnectionLimits: Sendable {
    /// From the connection, or from the end of the last answer, to the end of a request's header.
    package var headSeconds = 10
    /// How long a connection may stay open between two requests.
    package var idleSeconds = 20
    /// From the end of a request's header to the end of its body.
    package var bodySeconds = 15
    /// How long a portion of an answer may wait for a peer that does not read.
    package var writeSeconds = 15
    /// How long what a refused peer still sends is thrown away, so that it can read why it was refused.
    package var lingerSeconds = 1
    /// Requests that a connection may send ahead of their answers.
    package var pipelined = 32
    /// The bytes of all header fields of a request.
    package var headerBytes = 16_384
    /// The number of header fields of a request.
    package var headerFields = 100

    /// The standard limits.
    package init() {}
}
