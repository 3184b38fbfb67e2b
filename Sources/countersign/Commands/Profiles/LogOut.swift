import ArgumentParser
import CountersignClient

/// `countersign logout`.
struct LogOutCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "End the session of a profile.",
        discussion: """
            The profile and its key stay: `countersign login` begins another session. Harmless twice.

            EXAMPLES
              countersign logout
              countersign logout --profile work
            """)

    @OptionGroup var profile: ProfileOption

    func perform(_ output: Output) throws -> ExitStatus {
        let account = try profile.account()
        do { try waitFor { try await account.logOut() } } catch { throw Failure(explaining: error) }
        return .done
    }
}
