import Foundation
import ServiceSubjects

/// Persons who step up by password as fast as they are answered, each on a device of their own.
struct StepUps {
    private let service: Side
    private let devices: [DeviceRequests]

    /// How many at the same time for each thread that hashes: while one is hashed, others are on their way to the disk and back.
    static let callersPerHash = 4

    init(_ service: Side, port: Int, _ devices: [SubjectDevice]) {
        self.service = service
        self.devices = devices.map { DeviceRequests(port: port, device: $0) }
    }

    /// Steps up until the time is over, and waits for those that were begun.
    ///
    /// - Returns: how many a second. Each of their signatures was verified when the clock had stopped.
    func rate(seconds: Double) throws -> Double {
        let begin = Load.now
        let end = begin + UInt64(seconds * 1e9)
        let running = try devices.enumerated().map { caller, requests in
            let connection = try Connection(port: requests.port)
            let nonce = try requests.nonce()
            return Beside {
                var answers: [(number: Int, answer: String)] = []
                while Load.now < end {
                    let number = caller * 1_000_000 + answers.count
                    answers.append((number, try requests.stepUp(number, on: connection, nonce: nonce).answer))
                }
                return answers
            }
        }
        let answers = try running.flatMap { try $0.get() }
        let time = Double(Load.now - begin) / 1e9
        let evidence = Evidence()
        for (number, answer) in answers { evidence.keep(number, ArraySlice(answer.utf8)) }
        try service.verifyStepUps(evidence)
        return Double(answers.count) / time
    }
}
