import Hummingbird
import Logging

/// "Hello JSON": Hummingbird as its documentation shows it, with a body of the size of a signing's. What it answers a second is what this
/// framework can do on the machine at all.
enum HelloServer {
    struct Question: Decodable {
        let user: String
        let payload: String
        let reason: String
        let authLevel: Int
        let authenticatorType: Int
    }

    struct Answer: ResponseEncodable {
        let id: String
        let status: String
        let user: String
        let payload: String
        let reason: String
        let authLevel: Int
        let authenticatorType: Int
        let statement: String
    }

    static func run(onListening: @escaping @Sendable (Int) -> Void) async throws {
        let router = Router()
        // As long as a statement is.
        let statement = String(repeating: "e", count: 800)
        router.post("/v1/signings") { request, context in
            let question = try await request.decode(as: Question.self, context: context)
            return EditedResponse(
                status: .created,
                response: Answer(
                    id: "0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a10", status: "signed", user: question.user,
                    payload: question.payload, reason: question.reason, authLevel: question.authLevel,
                    authenticatorType: question.authenticatorType, statement: statement))
        }
        var logger = Logger(label: "hello")
        logger.logLevel = .critical
        let server = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port { onListening(port) }
            }, logger: logger)
        try await server.run()
    }
}
