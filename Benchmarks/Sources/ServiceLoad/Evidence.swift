import CountersignVerifier
import Foundation

/// The answers of a run, kept as they came and looked at after the clock has stopped.
final class Evidence {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var numbers: [Int] = []

    var count: Int { ends.count }

    func keep(_ number: Int, _ body: ArraySlice<UInt8>) {
        bytes += body
        ends.append(bytes.count)
        numbers.append(number)
    }

    /// Verifies every signature, each over the payload that was asked for, no id twice.
    ///
    /// - Throws: `Fault` for the first that is not as it should be.
    func verify(_ keySet: [UInt8], audience: AudienceRule) throws {
        var policy = Policy()
        policy.level = MinimumLevel(.none)
        policy.audience = audience
        let session = StatementVerifier(trust: try TrustStore(keySet), policy: policy).makeSession()
        let now = Int64(Date().timeIntervalSince1970)
        var ids: Set<String> = []
        var begin = 0
        for (number, end) in zip(numbers, ends) {
            let body = String(decoding: bytes[begin..<end], as: UTF8.self)
            begin = end
            guard let found = Self.statement(in: body) else {
                throw Fault("request \(number) has no statement: \(body)")
            }
            let text = Array(found.utf8)
            guard case .valid(let statement) = session.verify(text.span, at: now) else {
                throw Fault("a signature that was counted is not valid: \(body)")
            }
            guard statement.claims.payload == SigningRequests.payload(number) else {
                throw Fault("request \(number) got a statement over another payload")
            }
            guard ids.insert(statement.claims.id.text).inserted else { throw Fault("an id came twice") }
        }
    }

    /// The first of the statements.
    func statements(atMost limit: Int) -> [String] {
        var begin = 0
        return ends.prefix(limit).compactMap { end in
            defer { begin = end }
            return Self.statement(in: String(decoding: bytes[begin..<end], as: UTF8.self)).map(String.init)
        }
    }

    private static func statement(in body: String) -> Substring? {
        guard let start = body.range(of: "\"payloadSignature\":\"")?.upperBound,
            let stop = body[start...].firstIndex(of: "\"")
        else { return nil }
        return body[start..<stop]
    }
}
