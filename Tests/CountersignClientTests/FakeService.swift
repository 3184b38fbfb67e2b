import CountersignJOSE
import CountersignVerifier
import Outbound
import Sessions
import Signing
import Synchronization
import Wire

/// A service as far as clients see it: nonces, tokens that are good once, sessions that end when one is used twice, requests that
/// happen once.
final class FakeService: Sendable {
    struct State {
        var nonce = "n-1"
        var access = 0
        var isEnded = false
        var kept: [String: ScriptedExchange.Outcome] = [:]
        var refreshes = 0
        var proofs: Set<String> = []
        var faults: [String] = []
    }

    static let session = "0f8fad5b-d9cb-4a2e-8c1f-2d8ae3c1b7e4"
    let state = Mutex(State())

    /// The answer to a request: a grant for a log-in or a refresh, a list of no sessions for the rest.
    func answer(_ request: OutboundRequest) -> ScriptedExchange.Outcome {
        state.withLock { state in
            guard let proof = try? DPoPProof.parse(Array((request.header("DPoP") ?? "").utf8)) else {
                return .refused(Refusal(.proofMissing))
            }
            if !state.proofs.insert(proof.jti).inserted { state.faults.append("a proof came twice") }
            if proof.url != "https://sign.example" + request.path.split(separator: "?")[0]
                || proof.method != request.method
            {
                state.faults.append("a proof for something else")
            }
            guard proof.nonce == state.nonce else { return .nonceNeeded(state.nonce) }
            if let key = request.header("Idempotency-Key"), let kept = state.kept[key] { return kept }
            let outcome: ScriptedExchange.Outcome
            switch (request.method, request.path) {
            case ("POST", "/v1/sessions"): outcome = Self.grant(&state)
            case ("POST", "/v1/token"): outcome = Self.refresh(request, &state)
            default:
                let token = request.header("Authorization")
                guard !state.isEnded, token == "DPoP csa_\(state.access)", proof.accessTokenHash != nil else {
                    return .refused(Refusal(.tokenInvalid), [("DPoP-Nonce", state.nonce)])
                }
                outcome = .json(200, ListMessage<SessionMessage>([]), [("DPoP-Nonce", state.nonce)])
            }
            if let key = request.header("Idempotency-Key") { state.kept[key] = outcome }
            return outcome
        }
    }

    private static func grant(_ state: inout State) -> ScriptedExchange.Outcome {
        state.access += 1
        return .json(
            200,
            GrantMessage(
                accessToken: "csa_\(state.access)", tokenType: .dpop, expiresIn: 300,
                refreshToken: "csr_\(state.access)",
                session: session, role: .person, user: "alice"), [("DPoP-Nonce", state.nonce)])
    }

    private static func refresh(_ request: OutboundRequest, _ state: inout State) -> ScriptedExchange.Outcome {
        state.refreshes += 1
        guard !state.isEnded, let form = try? TokenRequest.parse(request.body ?? []),
            case .refresh(let token) = form.grant,
            token == "csr_\(state.access)"
        else {
            state.isEnded = true
            return .refused(Refusal(.grantInvalid))
        }
        return grant(&state)
    }
}
