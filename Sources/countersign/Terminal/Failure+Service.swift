import CountersignClient
import Signing

extension Failure {
    /// What a service said, or that it said nothing.
    init(_ error: ServiceError) {
        switch error {
        case .refused(let refusal): self.init(refusal, isOver: error.needsLogIn)
        case .unreachable(let text), .unanswered(let text):
            self.init(
                .unavailable, text,
                advice: "Check its address and that it runs; certificates of your own are given by --ca at log-in.")
        case .protocolViolation(let text):
            self.init(.unavailable, text, advice: "Check the address of the service: `countersign profiles show`.")
        case .local(let text): self.init(.refusedInput, text)
        case .wrongPasscode: self.init(.authenticationFailed, error.description)
        case .cancelled: self.init(.declined, "cancelled")
        }
    }

    /// A "no" of the service has the exit status that the same "no" of a store has.
    private init(_ refusal: ServiceRefusal, isOver: Bool) {
        let status = refusal.refusal.map { ExitStatus($0.code) } ?? ExitStatus(httpStatus: refusal.status)
        var advice: String?
        switch refusal.refusal?.code {
        case _ where isOver: advice = "Log in again: `countersign login`."
        case .scopeInsufficient?: advice = "Another profile may: see `countersign profiles list`."
        case .ceremonyOpen?: advice = "Answer it, or end it by `countersign reset`."
        case let code?: advice = Self.advice(Refusal(code))
        case nil: break
        }
        self.init(status, refusal.text, advice: advice, from: refusal.refusal)
    }
}

extension ExitStatus {
    /// A refusal that this version does not know, by what HTTP says of it.
    init(httpStatus: Int) {
        self =
            switch httpStatus {
            case 401, 403: .authenticationFailed
            case 408, 429, 500...: .unavailable
            default: .refusedInput
            }
    }
}
