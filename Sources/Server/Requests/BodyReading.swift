internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import Signing

/// The reading of one request's body.
struct BodyReading {
    private let body: RequestBody
    private let type: String?
    private let types: Int
    private let length: Int?
    private let isChunked: Bool
    private(set) var isWhole: Bool

    init(_ request: Request) {
        body = request.body
        let fields = request.headers
        type = fields[.contentType]
        types = fields.contains(.contentType) ? fields[values: .contentType].count : 0
        length = fields[.contentLength].flatMap { Int($0) }
        isChunked = fields.contains(.transferEncoding)
        isWhole = !isChunked && (length ?? 0) == 0
    }

    /// The whole body.
    ///
    /// - Throws: `requestTooLarge`, before it is read where its length is known; `mediaType`; `requestMalformed` for a
    ///   body where none belongs.
    mutating func collect(upTo limit: Int, takes input: Route.Input) async throws -> [UInt8] {
        guard (length ?? 0) <= limit else { throw Refusal(.requestTooLarge, .limit(limit)) }
        let wanted: String
        switch input {
        case .nothing:
            guard isWhole else { throw Refusal(.requestMalformed) }
            return []
        case .json: wanted = "application/json"
        case .form: wanted = "application/x-www-form-urlencoded"
        }
        guard types == 1, let type, MediaType(type)?.isText(wanted) == true else { throw Refusal(.mediaType) }
        var bytes: [UInt8] = []
        if let length { bytes.reserveCapacity(length) }
        for try await buffer in body {
            guard bytes.count + buffer.readableBytes <= limit else { throw Refusal(.requestTooLarge, .limit(limit)) }
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        isWhole = true
        return bytes
    }
}
