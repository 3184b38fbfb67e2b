internal import CountersignJOSE
internal import HTTPTypes
internal import Signing
internal import Wire

/// One thing that can be asked of the service: from the list of these come routing, `Allow`, who may, OpenAPI and the
/// test of all accesses. A route that is not in the list does not exist.
final class Route: Sendable {
    /// What a request brings.
    enum Input: Sendable {
        case nothing
        /// JSON of this shape.
        case json(Shape)
        /// A form of RFC 6749 with these members.
        case form(Shape)
    }

    /// What comes back when all is well.
    struct Answer: Sendable {
        let status: Int
        /// The media type; nil where there is no body.
        let type: String?
        /// The shape of JSON.
        var shape: Shape?
        /// Another shape that JSON may have, depending on the request.
        var otherShape: Shape?
        /// Other media types that `Accept` can ask for.
        var alternatives: [String] = []

        static func json(_ shape: Shape, status: Int = 200) -> Answer {
            Answer(status: status, type: "application/json", shape: shape)
        }
        static let nothing = Answer(status: 204, type: nil)
    }

    /// An item of the query.
    struct Item: Sendable {
        let name: String
        let note: String
        var schema: JSON
    }

    let method: HTTPRequest.Method
    let path: PathPattern
    /// `operationId` of OpenAPI.
    let name: String
    let summary: String
    let access: Access
    let input: Input
    let answer: Answer
    let query: [Item]
    /// Whether repeating a request with the same `Idempotency-Key` repeats the answer, not the effect.
    let isIdempotencyKeyTaken: Bool
    /// Whether the engine's transaction makes sure of the session, and of the request's name, so that nobody need look before.
    let isConfirmed: Bool
    /// Whether it may compute for long, so that it must not do so on the thread that reads the sockets of others.
    let isHeavy: Bool
    /// Whether a client may wait for something new (`Prefer: wait`).
    let takesWait: Bool
    /// The refusals of its own, besides those that every route of its kind has.
    let refusals: [Refusal.Code]
    /// Whether the answer has a tag by which a client asks for a newer one (RFC 9110 section 8.8.3); the route then says it itself.
    let isTagged: Bool
    let run: @Sendable (Call) async throws -> Reply

    init(
        method: HTTPRequest.Method, path: PathPattern, name: String, summary: String, access: Access,
        input: Input = .nothing, answer: Answer, query: [Item] = [],
        isIdempotencyKeyTaken: Bool = false, isConfirmed: Bool = false, isHeavy: Bool = false,
        takesWait: Bool = false, refusals: [Refusal.Code] = [], isTagged: Bool = false,
        run: @escaping @Sendable (Call) async throws -> Reply
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.summary = summary
        self.access = access
        self.input = input
        self.answer = answer
        self.query = query
        self.isIdempotencyKeyTaken = isIdempotencyKeyTaken
        self.isConfirmed = isConfirmed
        self.isHeavy = isHeavy
        self.takesWait = takesWait
        self.refusals = refusals
        self.isTagged = isTagged
        self.run = run
    }

    /// Whether it takes a DPoP proof, and answers with a nonce.
    var takesProof: Bool {
        switch access {
        case .everyone, .observers: false
        case .holdersOfKey, .holdersOfGrant, .sessions: true
        }
    }

    /// The most bytes of a body.
    func bodyLimit(_ settings: ServerSettings) -> Int {
        switch name {
        case "verify": settings.verificationBytes
        case "startBatch": settings.batchBytes
        default: settings.bodyBytes
        }
    }
}
