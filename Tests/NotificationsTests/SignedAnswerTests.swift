import CountersignVerifier
import Notifications
import Signing
import Testing

@Suite("What is signed as an answer")
struct SignedAnswerTests {
    private func answer(_ body: NotificationBody) throws -> SignedAnswer {
        try SignedAnswer(NotificationAction(name: "Accept", level: 1), of: body, notification: Example.uuid(7))
    }

    @Test("Action, subject and message, in a fixed form; the reason has the label")
    func form() throws {
        let answer = try answer(Example.body(message: "Pay 5.00 EUR\nto Bob?"))
        #expect(answer.payload == "Answer: Accept\nSubject: Transfer\n\nPay 5.00 EUR\nto Bob?")
        #expect(answer.text == answer.payload)
        #expect(answer.reason == "Answer: Approve")
    }

    @Test("What is longer than a payload may be is signed by its digest, which says of what")
    func digest() throws {
        let message = String(repeating: "x", count: 2000)
        let answer = try answer(Example.body(message: message))
        #expect(answer.text == "Answer: Accept\nSubject: Transfer\n\n" + message)
        let digest = try #require(FileDigest(line: answer.payload))
        #expect(digest.name == "notification 00000000-0000-4000-8000-000000000007")
        #expect(
            Hex.text(of: digest.digest) == "9bb9c4277aef1e6515a04274d29c3e7ddb996f2f06c8d7b13a6d878af8e731f3",
            "sha256sum")
    }

    @Test("Every text that a notification may have can be signed", arguments: [1, 465, 466, 467, 468, 1999, 2000])
    func always(length: Int) throws {
        for scalar in ["x", "\u{1F600}", "é"] {
            let body = try Example.body(
                subject: String(repeating: scalar, count: 200), message: String(repeating: scalar, count: length),
                labels: ["Accept": String(repeating: scalar, count: 64)])
            let answer = try answer(body)
            _ = try SigningRequest(
                user: Example.user(), payload: answer.payload, reason: answer.reason, level: 1, type: 0,
                isLevelZeroAllowed: false)
        }
    }
}
