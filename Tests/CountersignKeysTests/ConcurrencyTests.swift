import CountersignKeys
import Testing

@Suite("Threads")
struct ConcurrencyTests {
    @Test(
        "Signers and verifiers of one key work side by side, each in its own thread", arguments: KeyAlgorithm.allCases)
    func sideBySide(_ algorithm: KeyAlgorithm) async throws {
        let key = try PrivateKey(generating: algorithm, rsaBits: 2048)
        let rounds = algorithm == .es256 || algorithm == .edDSA ? 400 : 40
        let wrong = try await withThrowingTaskGroup(of: Int.self) { group in
            for lane in 0..<4 {
                group.addTask { @concurrent in
                    let signer = key.makeSigner()
                    let verifier = key.publicKey.makeVerifier()
                    var wrong = 0
                    for round in 0..<rounds {
                        let message = Array("\(lane)/\(round)".utf8)
                        let signature = try signer.sign(message.span)
                        var other = signature
                        other[other.count - 1] ^= 1
                        if !verifier.isValid(signature.span, for: message.span) { wrong += 1 }
                        if verifier.isValid(other.span, for: message.span) { wrong += 1 }
                    }
                    return wrong
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
