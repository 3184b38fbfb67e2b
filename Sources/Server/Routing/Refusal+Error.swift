internal import CountersignKeys
package import Logging
internal import Passwords
internal import Signing
internal import SigningService
internal import Storage

extension Refusal {
    /// What an error of the floors below is for a client. What it says beyond its kind is for the log alone.
    init(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self = refusal
        case let error as StorageError: self.init(error.code)
        case let error as PasswordError: self.init(error.code == .failed ? .internalFault : .authenticationBusy)
        default: self.init(.internalFault)
        }
    }

    private init(_ code: StorageError.Code) {
        switch code {
        case .busy, .conflict: self.init(.storeBusy)
        case .full: self.init(.storeFull)
        case .corrupt, .newerSchema, .notAStore: self.init(.storeCorrupt)
        case .unreadable, .io: self.init(.storeUnavailable)
        case .exists, .constraint: self.init(.internalFault)
        }
    }
}

extension Logger {
    /// Says why a request failed, if that is the service's own fault: the kind of error, and what a store says of
    /// itself, which holds no value.
    package func record(_ error: any Error, requestID: String, route: String) {
        guard !(error is Refusal) else { return }
        if error is CancellationError {
            // Whoever asked has gone, or the service stops.
            return debug("request cancelled", metadata: ["id": "\(requestID)", "route": "\(route)"])
        }
        let reason =
            switch error {
            case let error as StorageError: error.description
            case let error as PasswordError: error.description
            case let error as KeyError: error.detail
            default: "\(type(of: error))"
            }
        self.error("request failed", metadata: ["id": "\(requestID)", "route": "\(route)", "reason": "\(reason)"])
    }
}
