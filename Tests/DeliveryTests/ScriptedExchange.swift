import CountersignVerifier
import Delivery
import Outbound
import SigningService
import Synchronization
import Testing

/// Answers as it is told, and keeps what it was asked.
final class ScriptedExchange: HTTPExchange {
    private let answers: Mutex<[Result<OutboundResponse, OutboundError>]>
    private let asked = Mutex<[OutboundRequest]>([])

    init(_ answers: [Result<OutboundResponse, OutboundError>]) { self.answers = Mutex(answers) }

    /// Answers with these statuses, and Apple's reasons.
    convenience init(_ statuses: (Int, String)...) {
        self.init(
            statuses.map { .success(OutboundResponse(status: $0, body: Array("{\"reason\":\"\($1)\"}".utf8))) })
    }

    var requests: [OutboundRequest] { asked.withLock { $0 } }

    func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
        asked.withLock { $0.append(request) }
        let answer = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
        guard let answer else { throw OutboundError(.unreachable, "no connection") }
        return try answer.get()
    }
}

extension OutboundRequest {
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension Delivery {
    static let id = "00000000-0000-4000-8000-000000000001"
    static let notification = "00000000-0000-4000-8000-000000000002"
    static let device = "00000000-0000-4000-8000-000000000003"

    /// A push to a device.
    static func push(to address: Address? = nil) throws -> Delivery {
        let device = try #require(UUIDText(Self.device))
        let waiting = try #require(UUIDText(Self.notification))
        return Delivery(
            id: try #require(UUIDText(id)), event: .notificationMade, user: try SigningEngine.userName("alice"),
            notification: waiting, status: "PENDING", createdAt: 1_767_225_600_000,
            expiresAt: 1_767_225_900_000, attempt: 1,
            address: address ?? .device(device, token: "abcd", isDevelopment: false))
    }
}
