internal import CountersignKeys
internal import CountersignVerifier
internal import HTTPTypes
internal import Sessions
internal import Signing
internal import SigningService
internal import Synchronization

/// The name that a client gave a request, so that it happens once however often it comes.
struct RequestName: Sendable, Hashable {
    /// Who asks: the names of two have nothing to do with each other.
    var owner: String { entry.owner }
    /// The value of `Idempotency-Key`.
    var key: String { entry.key }
    /// SHA-256 of method, path and body.
    let digest: [UInt8]
    /// Owner and key: what a request is one by, whatever is in it.
    let entry: Entry

    /// Hashed once: it is looked up under locks that all requests share.
    struct Entry: Hashable {
        let owner: String
        let key: String
        private let hash: Int

        init(owner: String, key: String) {
            self.owner = owner
            self.key = key
            var hasher = Hasher()
            hasher.combine(owner)
            hasher.combine(key)
            hash = hasher.finalize()
        }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }
    }

    /// The name of a request; nil where it has none.
    ///
    /// - Throws: `idempotencyKeyMalformed`.
    init?(_ fields: HTTPFields, _ route: Route, path: Substring, body: [UInt8], _ principal: Principal) throws(Refusal)
    {
        let values = fields[values: .idempotencyKey]
        guard let key = values.first, route.isIdempotencyKeyTaken else { return nil }
        guard values.count == 1, (1...128).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw Refusal(.idempotencyKeyMalformed) }
        let owner: String
        switch principal {
        // Nobody can be told from somebody else, who would get their answer.
        case .nobody: return nil
        case .holder(let proof): owner = "key \(proof.thumbprint)"
        case .session(let session):
            switch session.owner {
            case .person(let name): owner = "person \(name.text)"
            case .service(let name): owner = "service \(name.text)"
            case .operator: owner = "operator"
            }
        }
        entry = Entry(owner: owner, key: key)
        var hash = SHA256()
        let head = Array("\(route.method.rawValue) \(path)\n".utf8)
        hash.update(head.span)
        hash.update(body.span)
        digest = hash.finalize()
    }
}

/// The named requests that are being answered now.
final class RunningRequests: Sendable {
    private let running = Mutex<Set<RequestName.Entry>>([])

    /// Runs a request, unless another of its name runs.
    ///
    /// - Throws: `idempotencyRunning`, and what the request throws.
    func run(_ name: RequestName, _ body: () async throws -> Reply) async throws -> Reply {
        let entry = name.entry
        guard running.withLock({ $0.insert(entry).inserted }) else { throw Refusal(.idempotencyRunning) }
        defer { _ = running.withLock { $0.remove(entry) } }
        return try await body()
    }
}
