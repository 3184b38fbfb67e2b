import CountersignVerifier
import Signing
import SigningService

/// A command that works the same with a store of one's own and with a service on the network.
protocol ServiceCommand: Command {
    var place: PlaceOptions { get }

    /// Does it. What was opened is closed afterwards, however this ends.
    func perform(on service: OpenService, _ output: Output) throws -> ExitStatus
}

extension ServiceCommand {
    func perform(_ output: Output) throws -> ExitStatus {
        let service = try OpenService(at: place.place(), passcodeFile: place.passcodeFile)
        defer { service.close() }
        return try perform(on: service, output)
    }
}

/// A service that is open, for commands that wait for each step.
struct OpenService {
    private let service: any Service

    /// Opens what is there; nothing is made by opening.
    init(at place: Place, passcodeFile: String? = nil) throws(Failure) {
        switch place {
        case .store(let path):
            let store = try OpenStore(at: path)
            do { service = try EmbeddedService(store) } catch { throw Failure(explaining: error) }
        case .profile(let name): service = try OpenProfile(name, passcodeFile: passcodeFile).service()
        }
    }

    /// A service that is open already.
    init(_ service: any Service) { self.service = service }

    /// Where it is.
    var location: Location { service.location }

    /// Whether the operator sets passwords.
    var takesPasswords: Bool { service.takesPasswords }

    /// Whose signatures it gives, where it knows by itself.
    var user: UserName? { service.user }

    /// Refuses what cannot come to a signature, before anybody is asked for anything.
    func check(user: UserName, level: Int) throws(Failure) { try service.check(user: user, level: level) }

    /// Runs one call to its end.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (any Service) async throws -> Value
    ) throws(Failure) -> Value {
        let service = service
        do { return try waitFor { try await work(service) } } catch { throw Failure(explaining: error) }
    }

    /// Runs one step of a ceremony to its end, or until a signal says that the process shall end: then the step is given
    /// up. With the outcome comes the signal that arrived beside it.
    func runStep<Value: Sendable>(
        _ work: @escaping @Sendable (any Service) async throws -> Value
    ) throws(Failure) -> Interruptible<Value> {
        let service = service
        do { return try waitUnlessSignalled { try await work(service) } } catch { throw Failure(explaining: error) }
    }

    /// Runs a last call and closes, while the process is about to end: neither keeps it longer than `milliseconds`.
    func leave(within milliseconds: Int64, _ work: @escaping @Sendable (any Service) async throws -> Void) {
        let service = service
        waitFor(atMost: milliseconds) {
            try? await work(service)
            await service.close()
        }
    }

    /// Finishes what runs. Closing twice is harmless.
    func close() {
        let service = service
        try? waitFor { await service.close() }
    }

    /// The user that a text names.
    static func userName(_ text: String) throws(Failure) -> UserName {
        do throws(Refusal) {
            return try SigningEngine.userName(text)
        } catch {
            throw Failure(ExitStatus(error.code), "'\(text)': \(error.text)")
        }
    }
}
