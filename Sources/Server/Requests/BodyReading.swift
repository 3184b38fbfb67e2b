internal import CountersignJOSE
internal import HTTPTypes
internal import NIOCore
internal import Signing

/// The reading of one request's body.
struct BodyReading {
    private let exchange: Exchange
    /// Nil where there is none, or more than one.
    private let type: String?
    private let length: Int?
    private let isChunked: Bool
    private let takesBody: Bool
    private let memory: BodyMemory
    /// How many bytes were taken of the memory, and for whom.
    private var held: (count: Int, network: IPAddress?) = (0, nil)
    private(set) var isWhole: Bool

    init(_ exchange: Exchange, _ memory: BodyMemory) {
        self.exchange = exchange
        self.memory = memory
        let method = exchange.request.method
        takesBody = method == .post || method == .put || method == .patch
        let fields = exchange.request.headerFields
        let types = fields[values: .contentType]
        type = types.count == 1 ? types.first : nil
        let lengths = fields[values: .contentLength]
        length = lengths.count == 1 ? lengths.first.flatMap { Int($0) } : nil
        isChunked = fields.contains(.transferEncoding)
        isWhole = !isChunked && (length ?? 0) == 0
    }

    /// The whole body.
    ///
    /// - Throws: `requestTooLarge`, before it is read where its length is known; `mediaType`; `requestMalformed` for a
    ///   body where none belongs; `serverBusy` where too many bytes are held.
    mutating func collect(
        upTo limit: Int, takes input: Route.Input, from network: IPAddress?
    ) async throws -> [UInt8] {
        held.network = network
        guard (length ?? 0) <= limit else { throw Refusal(.requestTooLarge, .limit(limit)) }
        if case .nothing = input {
            guard !isWhole else { return [] }
            // What is in the body of a GET is not even read: others may have taken it for the next request.
            guard takesBody else { throw Refusal(.requestMalformed) }
            // Some clients send an empty object rather than nothing.
            let bytes = try await collect(upTo: 64)
            guard (try? JSON(parsing: bytes, maxBytes: 64))?.object?.members.isEmpty == true else {
                throw Refusal(.requestMalformed)
            }
            return []
        }
        let bytes = try await collect(upTo: limit)
        var wanted = "application/json"
        if case .form = input { wanted = "application/x-www-form-urlencoded" }
        // Nearly all say just this.
        guard let type, type == wanted || MediaType(type)?.isText(wanted) == true else { throw Refusal(.mediaType) }
        return bytes
    }

    private mutating func collect(upTo limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        if let length { bytes.reserveCapacity(length) }
        while let buffer = try await exchange.next() {
            guard bytes.count + buffer.readableBytes <= limit else { throw Refusal(.requestTooLarge, .limit(limit)) }
            try memory.take(buffer.readableBytes, of: bytes.count + buffer.readableBytes, from: held.network)
            held.count += buffer.readableBytes
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        // A body that ends too early is not one that is shorter.
        guard bytes.count == length ?? bytes.count else { throw ConnectionGuard.BrokenRequest() }
        isWhole = true
        return bytes
    }

    /// Gives back the memory of the body.
    mutating func release() {
        memory.give(held.count, from: held.network)
        held.count = 0
    }
}
