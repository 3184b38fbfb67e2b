import Foundation
import ServiceSubjects

/// Requests of a device, each with a proof of its own, on one server.
struct DeviceRequests {
    let port: Int
    let device: SubjectDevice
    private var origin: String { "http://127.0.0.1:\(port)" }

    /// One request with its proof.
    func request(
        _ method: String, _ path: String, body: String = "", nonce: String?, fields: [String] = []
    ) throws -> [UInt8] {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let proof = try device.authorization(method: method, url: origin + path, nonce: nonce, at: now)
        let head =
            ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)"]
            + (body.isEmpty ? [] : ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]) + fields
            + proof
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }

    /// A nonce of the server's, which it gives with its first refusal.
    func nonce() throws -> String {
        let (status, head, _) = try ask(Connection(port: port), request("GET", "/v1/sessions", nonce: nil))
        guard status == 401, let nonce = Connection.field("dpop-nonce", in: ArraySlice(head)) else {
            throw Fault("no nonce: \(status)")
        }
        return nonce
    }

    /// Sends one request and waits for its answer.
    func ask(_ connection: Connection, _ request: [UInt8]) throws -> (status: Int, head: [UInt8], body: String) {
        try connection.send(request, due: 0, tag: 0)
        while true {
            guard let answer = try connection.receive() else { continue }
            return (answer.status, Array(answer.head), String(decoding: answer.body, as: UTF8.self))
        }
    }

    /// Requests to sign at level 0, as `SigningRequests` has them, made beforehand: a proof costs a signature.
    func signings(_ numbers: Range<Int>) throws -> [[UInt8]] {
        let nonce = try nonce()
        return try numbers.map { number in
            let body =
                "{\"payload\":\"\(SigningRequests.payload(number))\",\"reason\":\"Invoice 17 of the spring\","
                + "\"authLevel\":0,\"authenticatorType\":0}"
            return try request(
                "POST", "/v1/signings", body: body, nonce: nonce, fields: ["Idempotency-Key: device-\(number)"])
        }
    }

    /// Log-ins with a wrong password.
    func wrongLogIns(_ count: Int, nonce: String) throws -> [[UInt8]] {
        let body = "{\"user\":\"\(SubjectStore.user)\",\"password\":\"not the password\"}"
        return try (0..<count).map { _ in try request("POST", "/v1/sessions", body: body, nonce: nonce) }
    }

    /// A signing at level 1, from the request to the statement, by password.
    ///
    /// - Returns: how long it took, in milliseconds, and the answer with the statement.
    func stepUp(
        _ number: Int, on connection: Connection, nonce: String
    ) throws -> (milliseconds: Double, answer: String) {
        let begin = Load.now
        let body =
            "{\"payload\":\"\(SigningRequests.payload(number))\",\"reason\":\"Invoice 17 of the spring\","
            + "\"authLevel\":1,\"authenticatorType\":0}"
        let started = try ask(connection, request("POST", "/v1/signings", body: body, nonce: nonce))
        guard started.status == 201, let start = started.body.range(of: "\"id\":\"")?.upperBound else {
            throw Fault("no challenge: \(started.body)")
        }
        let answer = "{\"challengeMode\":12,\"password\":\"\(SubjectStore.password)\"}"
        let path = "/v1/signings/\(started.body[start...].prefix(36))/answers"
        let answered = try ask(connection, request("POST", path, body: answer, nonce: nonce))
        guard answered.status == 200 else { throw Fault("no signature: \(answered.body)") }
        return (Double(Load.now - begin) / 1e6, answered.body)
    }
}
