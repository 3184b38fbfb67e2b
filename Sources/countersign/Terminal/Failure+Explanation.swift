import CountersignClient
import CountersignKeys
import Signing
import SigningService
import Storage

extension Failure {
    /// What an error of the floors below means for the person: exit status, text, next step.
    init(explaining error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let refusal as Refusal: self.init(refusal)
        case let error as ServiceError: self.init(error)
        case let error as StorageError: self.init(error)
        case let error as StoreDirectoryError: self.init(error)
        case let error as KeyError:
            let reason = error.reason.map { " (\($0))" } ?? ""
            self.init(.unavailable, error.detail + reason)
        default: self.init(.unavailable, "\(error)")
        }
    }

    /// A "no" of the service, in its own words.
    init(_ refusal: Refusal) {
        self.init(ExitStatus(refusal.code), refusal.text, advice: Self.advice(refusal), from: refusal)
    }

    private init(_ error: StoreDirectoryError) {
        switch error.code {
        case .full: self.init(.unavailable, error.description, advice: "Free some disk space, then try again.")
        case .io: self.init(.unavailable, error.description)
        case .noStore: self.init(.refusedInput, error.description, advice: ProfileChoice.advice)
        default: self.init(.refusedInput, error.description)
        }
    }

    private init(_ error: StorageError) {
        let advice: String? =
            switch error.code {
            case .newerSchema: "A newer version of countersign made it. Update this program."
            case .busy: "Another process holds it. Try again in a moment."
            case .full: "Free some disk space, then try again."
            case .corrupt: "Restore it from a backup: `countersign restore`."
            default: nil
            }
        self.init(ExitStatus(error.code), error.description, advice: advice)
    }

    /// What the catalogue cannot know: the command for the next step.
    static func advice(_ refusal: Refusal) -> String? {
        if refusal.fact == .levelZeroOff { return "Allow it with `countersign config set allow-level-0 true`." }
        return switch refusal.code {
        case .payloadTooLong, .payloadTooManyBytes: "Sign a document of any size with --digest FILE."
        case .payloadCharacter: "Sign the file as it is with --digest FILE."
        case .userUnknown: "See `countersign users list`."
        case .keyUnknown: "See `countersign keys list`."
        case .noActiveKey: "Make one with `countersign keys rotate`."
        default: nil
        }
    }
}
