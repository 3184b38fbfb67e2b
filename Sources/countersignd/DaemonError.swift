internal import CountersignKeys
internal import Server
internal import Signing
internal import SigningService
internal import Storage

/// Why the daemon does not start: the exit code, and what to say.
struct DaemonError: Error {
    /// The exit codes, as the command line has them.
    enum Status: Int32 {
        case done = 0
        case refusedInput = 2
        case unavailable = 9
    }

    let status: Status
    let text: String

    init(_ status: Status, _ text: String) {
        self.status = status
        self.text = text
    }

    /// What an error of the floors below means for whoever starts the daemon.
    init(explaining error: any Error) {
        switch error {
        case let error as DaemonError: self = error
        case let error as StoreDirectoryError:
            let isOurs = error.code != .full && error.code != .io
            // What the command calls --store is --data here.
            let text = error.description.replacing("--store", with: "--data")
            self.init(isOurs ? .refusedInput : .unavailable, text)
        case let error as TLSFileError: self.init(.refusedInput, error.description)
        case let error as ListenError: self.init(.unavailable, error.description)
        case let error as StorageError: self.init(Self.status(error.code), error.description)
        case let error as KeyError: self.init(.unavailable, error.detail)
        case let error as Refusal:
            self.init(error.code == .issuerMalformed ? .refusedInput : .unavailable, error.text)
        default: self.init(.unavailable, "\(error)")
        }
    }

    private static func status(_ code: StorageError.Code) -> Status {
        switch code {
        case .newerSchema, .notAStore, .exists: .refusedInput
        default: .unavailable
        }
    }
}
