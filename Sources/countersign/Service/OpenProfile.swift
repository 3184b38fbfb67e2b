import CountersignClient
import CountersignKeys

/// A profile by its name, and the passcode of its key.
struct OpenProfile {
    let profile: Profile
    private let passcodeFile: String?

    /// Looks the profile up; nothing is asked for yet.
    init(_ name: String, passcodeFile: String?) throws(Failure) {
        let profiles = try ProfileChoice.profiles()
        do throws(ServiceError) {
            profile = try profiles.profile(name)
        } catch {
            throw Failure(
                .refusedInput, error.description,
                advice: "See `countersign profiles list`; `countersign enrol` and `countersign login` make one.")
        }
        self.passcodeFile = passcodeFile
    }

    /// The passcode of the key, where it has one: from the file, or asked for at the terminal.
    func passcode() throws(Failure) -> Secret? {
        let isEncrypted: Bool
        do throws(ServiceError) { isEncrypted = try profile.isEncrypted } catch { throw Failure(error) }
        guard isEncrypted else {
            if passcodeFile != nil { Diagnosis.warn("the key of the profile \(profile.name) has no passcode") }
            return nil
        }
        if let passcodeFile { return Secret(try PasswordSource.firstLine(of: passcodeFile, "passcode")) }
        let terminal = try PasswordOptions.openTerminal(
            for: "passcode of the profile \(profile.name)", else: "--passcode-file FILE")
        return Secret(try PasswordOptions.ask(terminal, "Passcode of the profile \(profile.name): "))
    }

    /// The service of the profile.
    func service() throws(Failure) -> RemoteService {
        CryptoLibrary.prepare()
        let passcode = try passcode()
        do throws(ServiceError) { return try RemoteService(profile, passcode: passcode) } catch { throw Failure(error) }
    }
}
