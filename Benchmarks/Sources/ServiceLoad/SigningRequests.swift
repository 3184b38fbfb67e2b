import Foundation

/// Requests to sign at level 0, all of one length: only numbers differ.
struct SigningRequests {
    private let template: [UInt8]
    private let places: [Range<Int>]
    private static let zeros = String(repeating: "0", count: 9)

    /// - Parameters:
    ///   - run: makes the idempotency keys of this run differ from others'.
    ///   - authorization: the header fields that say who asks.
    ///   - user: who signs, where a relying service asks.
    init(port: Int, run: String, authorization: [String], user: String?) {
        let body =
            "{" + (user.map { "\"user\":\"\($0)\"," } ?? "")
            + "\"payload\":\"\(Self.payload(Self.zeros))\",\"reason\":\"Invoice 17 of the spring\","
            + "\"authLevel\":0,\"authenticatorType\":0}"
        let head =
            [
                "POST /v1/signings HTTP/1.1", "Host: 127.0.0.1:\(port)", "Content-Type: application/json",
                "Idempotency-Key: \(run)-\(Self.zeros)", "Content-Length: \(body.utf8.count)",
            ] + authorization
        let text = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
        let zeros = Array(Self.zeros.utf8)
        template = text
        places = text.indices.dropLast(zeros.count).map { $0..<$0 + zeros.count }.filter {
            text[$0].elementsEqual(zeros)
        }
    }

    /// The request of this number.
    subscript(number: Int) -> [UInt8] {
        var request = template
        for place in places {
            var rest = number
            for index in place.reversed() {
                request[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
        }
        return request
    }

    /// What the request of this number has signed.
    static func payload(_ number: Int) -> String {
        let digits = String(number)
        return payload(zeros.dropLast(digits.count) + digits)
    }

    private static func payload(_ digits: String) -> String {
        "Transfer no. \(digits): 120.00 EUR to DE02 1203 0000 0000 2020 51"
    }
}
