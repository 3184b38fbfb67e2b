internal import HTTPTypes
internal import NIOCore

/// What a route answers.
struct Reply: Sendable {
    /// What follows the header.
    enum Body: Sendable {
        case nothing
        /// A whole text of this media type.
        case bytes([UInt8], type: String)
        /// The same of one copy for all answers: a peer that asks for it on many streams and reads none holds no memory.
        case shared(ByteBuffer, type: String)
        /// A text that is made while it is sent; nil is its end. Each piece is made when the one before it was taken.
        case pieces(type: String, next: @Sendable () async throws -> [UInt8]?)
    }

    var status: Int
    var fields: [HTTPField] = []
    var body: Body
    /// What is to be done where the peer goes before the answer is whole.
    let whenClosed: (@Sendable () -> Void)?

    init(
        _ status: Int, _ body: Body, _ fields: [HTTPField] = [], whenClosed: (@Sendable () -> Void)? = nil
    ) {
        self.status = status
        self.body = body
        self.fields = fields
        self.whenClosed = whenClosed
    }

    /// The same with more fields.
    func with(_ more: [HTTPField]) -> Reply { Reply(status, body, fields + more) }

    /// 204.
    static let nothing = Reply(204, .nothing)

    /// 200, or another status, with JSON.
    static func json(_ bytes: [UInt8], status: Int = 200, _ fields: [HTTPField] = []) -> Reply {
        Reply(status, .bytes(bytes, type: "application/json"), fields)
    }
}

extension HTTPField.Name {
    /// A name of this program's own; all of them are tokens.
    static func own(_ name: StaticString) -> HTTPField.Name {
        HTTPField.Name(name.description) ?? .contentType
    }

    static let requestID = own("X-Request-ID")
    static let dpop = own("DPoP")
    static let dpopNonce = own("DPoP-Nonce")
    static let idempotencyKey = own("Idempotency-Key")
    static let secondHost = own("Host")
}
